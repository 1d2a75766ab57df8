/** Pictures of objects: whole files and parts of them, and what a PNG makes of them. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Resvg } from "@resvg/resvg-js";
import { afterAll, describe, expect, test } from "vitest";
import { drawnPictures } from "../src/plot/png.js";
import { pngOfPixels } from "../src/plot/raster.js";
import { readObjectImages } from "../src/read/object-images.js";
import { isWholePicture, mediaType } from "../src/read/whole-pictures.js";

const whole = {
  png: pngOfPixels(2, 1, Uint8Array.of(255, 0, 0, 0, 0, 255)),
  jpg: Buffer.from(
    // A preview with an end of its own, a frame, a scan with stuffed bytes, the end.
    "ffd8ffe10008ffd8aabbffd9ffc0000b080001000101011100ffda0008010100003f00d2ff00cfff20ffd9",
    "hex",
  ),
  gif: Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64"),
  webp: Buffer.from("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA", "base64"),
  svg: Buffer.from('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><circle r="4"/></svg>'),
};

const folder = mkdtempSync(join(tmpdir(), "pictures-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(Object.entries(whole))("%s", (ending, bytes) => {
  const type = mediaType(bytes);

  test("a whole file is taken as it stands", () => {
    writeFileSync(join(folder, `pear.${ending}`), bytes);
    expect(readObjectImages(folder, [`pear.${ending}`])).toEqual([
      `data:${type};base64,${bytes.toString("base64")}`,
    ]);
  });

  test("no part of it is whole, and none is taken", () => {
    if (type === undefined) throw new Error("an unknown type");
    for (let length = 3; length < bytes.length; length++)
      expect(isWholePicture(type, bytes.subarray(0, length)), `${length} bytes`).toBe(false);
    writeFileSync(join(folder, `plum.${ending}`), bytes.subarray(0, bytes.length - 1));
    expect(() => readObjectImages(folder, [`plum.${ending}`])).toThrow(
      new RegExp(`plum\\.${ending}, the picture of "plum\\.${ending}", is damaged`),
    );
  });
});

test("a PNG with a changed byte is damaged; an SVG may end in a comment, or be a single element", () => {
  const changed = Buffer.from(whole.png);
  changed[45] ^= 1;
  expect(isWholePicture("image/png", changed)).toBe(false);
  for (const words of [
    "<svg><g/></svg>\n<!-- made by hand -->\n",
    '<svg width="2" />',
    "<svg:svg></svg:svg>",
  ])
    expect(isWholePicture("image/svg+xml", Buffer.from(words))).toBe(true);
});

const urlOf = (type: string, bytes: Buffer): string => `data:${type};base64,${bytes.toString("base64")}`;

describe("in a PNG", () => {
  test("what shows nothing gives its place to a dot", async () => {
    const empty = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>');
    const noXml = Buffer.from("<svg><a></svg>");
    const urls = [
      urlOf("image/png", whole.png),
      urlOf("image/svg+xml", empty),
      urlOf("image/svg+xml", noXml),
      urlOf("image/png", whole.png.subarray(0, 8)),
    ];
    expect(await drawnPictures(urls, 32)).toEqual([urls[0], "", "", ""]);
  });

  test("a large picture is made smaller by averages: fine black and white squares become grey", async () => {
    const squares = Uint8Array.from({ length: 3 * 1024 * 768 }, (_, k) => {
      const pixel = Math.floor(k / 3);
      return 255 * (((pixel % 1024) + Math.floor(pixel / 1024)) % 2);
    });
    const [url] = await drawnPictures([urlOf("image/png", pngOfPixels(1024, 768, squares))], 64);
    const page = `<svg xmlns="http://www.w3.org/2000/svg"><image href="${url}"/></svg>`;
    const { width, height, pixels } = new Resvg(page).render();
    expect([width, height]).toEqual([128, 96]);
    for (const value of pixels.filter((_, k) => k % 4 < 3)) expect(Math.abs(value - 127.5)).toBeLessThan(8);
  });
});
