// The glTF validator reads our meshes: node check_glb.mjs FOLDER
// Errors and warnings are failures; so are hints, except that a mesh without a texture has places in one, and
// that the map of a terrain is as large as the terrain.

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

// The tool may be installed beside this file or in the folder the command runs in.
const require = [import.meta.url, join(process.cwd(), "package.json")]
  .map((place) => createRequire(place))
  .find((require) => {
    try {
      return require.resolve("gltf-validator");
    } catch {
      return false;
    }
  });
if (!require) throw new Error("gltf-validator is missing: npm install gltf-validator");
const validator = require("gltf-validator");
const folder = process.argv[2];
const allowed = new Set(["UNUSED_OBJECT", "IMAGE_NPOT_DIMENSIONS"]);
const files = readdirSync(folder).filter((name) => name.endsWith(".glb"));
let wrong = files.length === 0;
for (const name of files) {
  const bytes = new Uint8Array(readFileSync(join(folder, name)));
  const { issues, info } = await validator.validateBytes(bytes, { maxIssues: 20 });
  const problems = issues.messages.filter(({ code }) => !allowed.has(code));
  console.log(
    `${name}: ${problems.length ? JSON.stringify(problems) : "good"} ` +
      `(${info.totalVertexCount} vertices, ${info.totalTriangleCount} triangles)`,
  );
  wrong ||= problems.length > 0;
}
process.exit(wrong ? 1 : 0);
