// The glTF validator reads our meshes: node check_glb.mjs FOLDER
// Errors and warnings are failures; so are hints, except that a mesh without a texture has places in one.

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

// Found from the folder the command runs in, so that the tool need not be installed beside this file.
const require = createRequire(join(process.cwd(), "package.json"));
const validator = require("gltf-validator");
const folder = process.argv[2];
const allowed = new Set(["UNUSED_OBJECT"]);
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
