// Fills vendor/ with what the viewer loads of its packages, so that users need no node: npm ci && npm run vendor

import { build } from "esbuild";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const at = (name) => new URL(name, import.meta.url);
// fflate is inside pmtiles.mjs.
const packages = ["maplibre-gl", "pmtiles", "fflate"];

rmSync(at("vendor"), { recursive: true, force: true });
mkdirSync(at("vendor"));
for (const name of ["maplibre-gl.mjs", "maplibre-gl-worker.mjs"]) {
  const text = readFileSync(at(`node_modules/maplibre-gl/dist/${name}`), "utf8");
  writeFileSync(at(`vendor/${name}`), text.replace(/\n?\/\/# sourceMappingURL=.*\s*$/, "\n"));
}
copyFileSync(at("node_modules/maplibre-gl/dist/maplibre-gl.css"), at("vendor/maplibre-gl.css"));
await build({
  entryPoints: [new URL("node_modules/pmtiles/dist/esm/index.js", import.meta.url).pathname],
  bundle: true,
  format: "esm",
  minify: true,
  outfile: at("vendor/pmtiles.mjs").pathname,
});

const licences = packages.map((name) => {
  const about = JSON.parse(readFileSync(at(`node_modules/${name}/package.json`), "utf8"));
  let words = `${about.license}`;
  for (const file of ["LICENSE.txt", "LICENSE"]) {
    try {
      words = readFileSync(at(`node_modules/${name}/${file}`), "utf8").trim();
      break;
    } catch {}
  }
  return `${name} ${about.version}\n\n${words}\n`;
});
writeFileSync(at("vendor/LICENCES.txt"), licences.join("\n---\n\n"));
