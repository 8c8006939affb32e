// Evaluates recipes apart from the page, so that the page never waits.
import start, { evaluate } from "./landform-studio.js";

const ready = start();

onmessage = async ({ data: recipe }) => {
  await ready;
  evaluate(recipe, (message, buffers) => postMessage(message, buffers));
};
