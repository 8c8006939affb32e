// Evaluates recipes and makes files apart from the page, so that the page never waits.
import start, { work } from "./landform-studio.js";

const ready = start();

onmessage = async ({ data: message }) => {
  await ready;
  work(message, (answer, buffers) => postMessage(answer, buffers));
};
