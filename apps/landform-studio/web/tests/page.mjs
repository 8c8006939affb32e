// Uses the web page as a person does, in a real browser: node page.mjs PAGE LANDFORM PICTURES
//
// PAGE is the folder of the built page, LANDFORM the command-line program, PICTURES a folder for screenshots.
// The browser is named by CHROMIUM; playwright-core is found through NODE_PATH.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, normalize } from "node:path";
import { inflateRawSync } from "node:zlib";

const [folder, landform, pictures] = process.argv.slice(2);
const require = createRequire(join(process.env.NODE_PATH ?? ".", "index.js"));
const { chromium } = require("playwright-core");

const KINDS = { ".html": "text/html", ".js": "text/javascript", ".svg": "image/svg+xml", ".wasm": "application/wasm" };
const server = createServer((request, response) => {
  const asked = normalize(new URL(request.url, "http://localhost").pathname);
  try {
    const bytes = readFileSync(join(folder, asked === "/" ? "index.html" : asked));
    response.writeHead(200, { "content-type": KINDS[extname(asked)] ?? "text/html" }).end(bytes);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${server.address().port}/`;

mkdirSync(pictures, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
  ],
});
const faults = [];

/** The page as somebody sees it who never came here before. */
async function open(fragment = "") {
  const context = await browser.newContext({ viewport: { width: 1280, height: 760 }, acceptDownloads: true });
  const page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
    if (process.env.VERBOSE) console.log(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("dialog", (dialog) => dialog.accept());
  await page.goto(address + fragment);
  await page.waitForFunction(() => window.studio, null, { timeout: 60_000 }).catch((error) => {
    throw new Error(`the page does not start: ${faults.join("; ")}`, { cause: error });
  });
  return page;
}

const state = (page) => page.evaluate(() => JSON.parse(window.studio.state_json()));

/** Waits until a terrain is shown that `holds`. */
async function settled(page, holds = () => true) {
  for (let k = 0; k < 600; k++) {
    const now = await state(page);
    if (now.hash && !now.is_busy && holds(now)) return now;
    await page.waitForTimeout(50);
  }
  assert.fail(`still waiting; the page shows ${JSON.stringify(await state(page))}`);
}

/** The middle of a widget, found as screen readers find it. */
async function boxOf(page, name) {
  const widget = page.getByLabel(name, { exact: true }).first();
  await widget.waitFor({ state: "attached", timeout: 20_000 });
  return widget.boundingBox();
}

/** Presses a button with the mouse. */
async function press(page, name) {
  const { x, y, width, height } = await boxOf(page, name);
  await page.mouse.click(x + width / 2, y + height / 2);
}

/** The browser's question for files. It asks only soon after a key, and a page that is drawn by a busy processor may be too late. */
async function askedForFiles(page) {
  for (let k = 0; k < 6; k++) {
    const question = page.waitForEvent("filechooser", { timeout: 8_000 }).catch(() => null);
    await page.keyboard.press("Control+o");
    const asked = await question;
    if (asked) return asked;
  }
  assert.fail("the browser never asked for files");
}

/** The hash that the command line gives. */
function hashOf(file) {
  const report = JSON.parse(execFileSync(landform, ["inspect", file, "--json"], { encoding: "utf8" }));
  return report.layers.find((layer) => layer.name === "height").sha256;
}

const fragmentOf = (name, text) =>
  `#${Buffer.from(name).toString("base64url")}=${Buffer.from(text).toString("base64url")}`;

const shot = (page, name) => page.screenshot({ path: join(pictures, `${name}.png`) });

// ---------------------------------------------------------------- it starts, and shows the tour

const began = Date.now();
const page = await open();
await settled(page);
const first = Date.now() - began;
await shot(page, "tour");
await press(page, "Skip the tour");
await page.waitForTimeout(1500);
await shot(page, "start");

// ---------------------------------------------------------------- a file is opened

const upd = "257 193\n20 20\n4\n128 96 900 1200\n40 30 500 700\n200 60 700 900\n90 150 350 500\n";
const file = join(pictures, "four.upd");
writeFileSync(file, upd);
await (await askedForFiles(page)).setFiles(file);
const opened = await settled(page, (now) => now.name === "four.upd");
assert.equal(opened.text, upd);
assert.equal(opened.hash, hashOf(file), "the page and the command line give the same bytes");

// ---------------------------------------------------------------- click, arrow keys, undo

await page.waitForTimeout(800);
const map = await boxOf(page, "Map of the terrain");
const centre = { x: map.x + map.width / 2, y: map.y + map.height / 2 };
await page.mouse.click(centre.x, centre.y);
await page.waitForTimeout(200);
for (let k = 0; k < 3; k++) await page.keyboard.press("ArrowRight");
const moved = await settled(page, (now) => now.text.includes("131 96 900 1200"));
await page.keyboard.press("Shift+ArrowDown");
await settled(page, (now) => now.text.includes("131 106 900 1200"));
await shot(page, "moved");
await page.keyboard.press("Control+z");
await settled(page, (now) => now.text === moved.text);

// ---------------------------------------------------------------- saved as a download

const download = page.waitForEvent("download");
await page.keyboard.press("Control+s");
const saved = join(pictures, "saved.upd");
await (await download).saveAs(saved);
assert.equal(readFileSync(saved, "utf8"), upd.replace("128 96", "131 96"));
const now = await settled(page, (now) => !now.is_dirty);
assert.equal(now.hash, hashOf(saved), "what was saved is what is shown");

// ---------------------------------------------------------------- drag on the map

const grid = (text) => text.split("\n")[3].split(" ").slice(0, 2).map(Number);
const before = grid(now.text);
const cell = ((await state(page)).size[0] - 1) / map.width;
const at = { x: centre.x + 3 / cell / 1.2, y: centre.y };
await page.mouse.move(at.x, at.y);
await page.mouse.down();
for (let k = 1; k <= 8; k++) await page.mouse.move(at.x - 8 * k, at.y + 5 * k);
await page.mouse.up();
const dragged = await settled(page, (now) => now.is_dirty);
const after = grid(dragged.text);
assert.ok(after[0] < before[0] && after[1] > before[1], `dragged from ${before} to ${after}`);
await shot(page, "dragged");

// ---------------------------------------------------------------- the 3-D view turns

const view = await page.getByRole("img", { name: "3-D view" }).boundingBox();
assert.ok(view, "the 3-D view is there");
const picture = () => page.screenshot({ clip: { x: view.x, y: view.y, width: view.width, height: view.height } });
// However long a busy machine draws: once two pictures are the same, the next is too.
let still = await picture();
for (let k = 0; k < 40; k++) {
  await page.waitForTimeout(500);
  const before = still;
  still = await picture();
  if (still.equals(before)) break;
}
assert.ok(still.equals(await picture()), "nothing moves by itself");
await page.mouse.move(view.x + 0.2 * view.width, view.y + 0.8 * view.height);
await page.mouse.down();
for (let k = 1; k <= 6; k++) await page.mouse.move(view.x + 0.2 * view.width + 20 * k, view.y + 0.8 * view.height);
await page.mouse.up();
await page.waitForTimeout(1500);
assert.ok(!still.equals(await picture()), "the view turns");
await shot(page, "turned");

// ---------------------------------------------------------------- autosave

await page.waitForFunction(() =>
  Object.keys(localStorage).some((key) => key.startsWith("landform/recovery") && localStorage[key].includes("257 193")));

// ---------------------------------------------------------------- a link, with a recipe that takes its time

const recipe = `version = 1
seed = 3
size = [257, 257]
spacing = [30.0, 30.0]

[[stage]]
kind = "noise"
amplitude = 700

[[stage]]
kind = "hydraulic"
`;
const other = await open(fragmentOf("linked.toml", recipe));
await press(other, "Skip the tour");
// The longest time between two frames while a worker is busy.
await other.evaluate(() => {
  window.longest = 0;
  let last = performance.now();
  const look = () => {
    const time = performance.now();
    window.longest = Math.max(window.longest, time - last);
    last = time;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
});
const linked = await settled(other, (now) => now.name === "linked.toml");
const longest = await other.evaluate(() => window.longest);
const recipeFile = join(pictures, "linked.toml");
writeFileSync(recipeFile, recipe);
assert.equal(linked.hash, hashOf(recipeFile), "a recipe gives the bytes of the command line");
await other.waitForTimeout(1500);
await shot(other, "recipe");

// ---------------------------------------------------------------- an export, made by a worker while the page goes on

await other.evaluate(() => { window.longest = 0; });
await other.keyboard.press("Control+e");
await press(other, "NPY");
const made = other.waitForEvent("download", { timeout: 120_000 });
await press(other, "Make the files");
const npy = join(pictures, "exported.npy");
await (await made).saveAs(npy);
const longestExport = await other.evaluate(() => window.longest);
const ours = join(pictures, "built.npy");
execFileSync(landform, ["build", recipeFile, "-o", ours, "--quiet"]);
assert.ok(readFileSync(npy).equals(readFileSync(ours)), "an export has the bytes of the command line");

// ---------------------------------------------------------------- a mask is painted, saved, and opened again

await press(other, "Noise");
await press(other, "Mask brush");
await other.waitForTimeout(800);
const canvas = await boxOf(other, "Map of the terrain");
const [x, y] = [canvas.x + canvas.width / 2, canvas.y + canvas.height / 2];
await other.mouse.move(x - 60, y);
await other.mouse.down();
for (let k = 1; k <= 6; k++) await other.mouse.move(x - 60 + 20 * k, y + 4 * k);
await other.mouse.up();
const painted = await settled(other, (now) => now.text.includes("linked-noise-mask.png") && now.hash !== linked.hash);
await shot(other, "painted");
const downloads = [];
other.on("download", (one) => downloads.push(one));
await other.keyboard.press("Control+s");
for (let k = 0; k < 200 && downloads.length < 2; k++) await other.waitForTimeout(50);
const saves = downloads.map((one) => join(pictures, one.suggestedFilename()));
for (const [k, one] of downloads.entries()) await one.saveAs(saves[k]);
assert.deepEqual(downloads.map((one) => one.suggestedFilename()).sort(), ["linked-noise-mask.png", "linked.toml"]);
assert.equal(hashOf(join(pictures, "linked.toml")), painted.hash, "a painted mask acts as in the command line");
const third = await open();
await press(third, "Skip the tour");
await (await askedForFiles(third)).setFiles(saves);
const reopened = await settled(third, (now) => now.name === "linked.toml");
assert.equal(reopened.hash, painted.hash, "a recipe and its picture are opened together");
// What a link cannot hold is not shared.
await other.keyboard.press("Control+z");
await settled(other, (now) => now.text === recipe);

// ---------------------------------------------------------------- sharing

await press(other, "File");
await other.waitForTimeout(500);
await press(other, "Copy a link");
await other.waitForFunction(() => location.hash.length > 50);
const shared = await other.evaluate(() => location.hash);
assert.equal(Buffer.from(shared.slice(1).split("=")[1], "base64url").toString(), recipe);

// ---------------------------------------------------------------- the bundle and an export, as the program makes them

/** The files of a zip, by name. */
function unzipped(bytes) {
  const files = {};
  const end = bytes.lastIndexOf(Buffer.from("PK\x05\x06"));
  let at = bytes.readUInt32LE(end + 16);
  for (let k = 0; k < bytes.readUInt16LE(end + 10); k++) {
    const [packed, name] = [bytes.readUInt32LE(at + 20), bytes.readUInt16LE(at + 28)];
    const start = bytes.readUInt32LE(at + 42);
    const head = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28);
    const text = bytes.subarray(at + 46, at + 46 + name).toString();
    files[text] = inflateRawSync(bytes.subarray(head, head + packed));
    at += 46 + name + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return files;
}

const PRESETS = [["fbm", "unity"], ["badlands", "unreal"], ["islands", "terrain3d"], ["river", "gis"], ["world", "bevy"], ["town", "print3d"]];
const TITLES = {
  unity: "Unity Terrain", unreal: "Unreal Engine Landscape", terrain3d: "Terrain3D for Godot",
  gis: "QGIS, GDAL and other GIS", bevy: "Bevy", print3d: "3-D printer",
};
for (const [preset, target] of PRESETS) {
  const copy = join(pictures, `${preset}.toml`);
  execFileSync(landform, ["new", preset, "--quiet", "--force", "--size", preset === "world" ? "129x65" : "65x65", "-o", copy]);
  await (await askedForFiles(third)).setFiles(copy);
  await settled(third, (now) => now.name === `${preset}.toml`);
  for (const [choice, words] of [["Standard bundle", []], [TITLES[target], ["--for", target]]]) {
    await third.keyboard.press("Control+e");
    await press(third, choice);
    await press(third, "Make the files");
    await third.getByLabel("Write…", { exact: true }).first().waitFor({ state: "attached", timeout: 180_000 });
    const zipped = third.waitForEvent("download", { timeout: 60_000 });
    await press(third, "Write…");
    const zip = join(pictures, `${preset}-${target}.zip`);
    await (await zipped).saveAs(zip);
    const theirs = join(pictures, `built-${preset}${words.length}`);
    execFileSync(landform, ["build", copy, "--quiet", ...words, "-o", `${theirs}/`]);
    const files = unzipped(readFileSync(zip));
    assert.deepEqual(Object.keys(files).sort(), readdirSync(theirs).sort(), `files of ${preset}: ${choice}`);
    for (const name of Object.keys(files)) {
      assert.ok(files[name].equals(readFileSync(join(theirs, name))), `${preset}: ${choice}: ${name} has the program's bytes`);
    }
  }
}

// ---------------------------------------------------------------- a damaged file

await page.keyboard.press("Escape");
const damaged = join(pictures, "damaged.upd");
writeFileSync(damaged, "257 193\n20 20\n2\n1 2 x 4\n");
await (await askedForFiles(page)).setFiles(damaged);
await page.locator("#widgets", { hasText: "Cannot open damaged.upd" }).waitFor({ state: "attached" });
await shot(page, "damaged");
assert.equal((await state(page)).text, dragged.text, "what was open stays");

await browser.close();
server.close();
assert.deepEqual(faults, [], "the console has no errors");
console.log(`page: first terrain after ${first} ms, longest frame while a recipe ran ${Math.round(longest)} ms, while files were made ${Math.round(longestExport)} ms`);
