/** Pictures as stimuli: read, made smaller where they are large, and named after their files. */

export interface Picture {
  readonly name: string;
  /** A data URL. */
  readonly image: string;
}

export interface Pictures {
  readonly pictures: readonly Picture[];
  /** Files that the browser cannot show, by name. */
  readonly broken: readonly string[];
  /** Files that are no pictures, as their names say. */
  readonly others: number;
}

/** Pixels of the longer side beyond which a picture is made smaller; smaller files stay as they are, byte by byte. */
export const longestSide = 640;
const largeBytes = 150_000;
/** Pictures that are read at once: a browser shows one only with its next frame, and photographs take memory. */
const together = 8;

const types: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  bmp: "image/bmp",
  svg: "image/svg+xml",
};
const endingOf = (name: string): string => /\.([a-z0-9]+)$/i.exec(name)?.[1].toLowerCase() ?? "";

export async function picturesOf(
  files: readonly File[],
  onProgress: (done: number, of: number) => void,
): Promise<Pictures> {
  const shown = files.filter(({ name }) => Object.hasOwn(types, endingOf(name)) && !name.startsWith("."));
  const sorted = [...shown].sort((a, b) => pathOf(a).localeCompare(pathOf(b), "en", { numeric: true }));
  const names = namesOf(sorted);
  const pictures: Picture[] = [];
  const broken: string[] = [];
  for (let from = 0; from < sorted.length; from += together) {
    const some = sorted.slice(from, from + together);
    const images = await Promise.all(some.map((file) => imageOf(file).catch(() => undefined)));
    for (const [k, image] of images.entries())
      if (image === undefined) broken.push(some[k].name);
      else pictures.push({ name: names[from + k], image });
    onProgress(from + some.length, sorted.length);
  }
  return { pictures, broken, others: files.length - shown.length };
}

const pathOf = (file: File): string => file.webkitRelativePath || file.name;

/** Without endings and folders, where that tells them apart. */
function namesOf(files: readonly File[]): readonly string[] {
  const forms = [
    (file: File) => file.name.replace(/\.[^.]+$/, ""),
    (file: File) => file.name,
    (file: File) => pathOf(file),
  ];
  const form = forms.find((each) => new Set(files.map(each)).size === files.length) ?? pathOf;
  return files.map(form);
}

async function imageOf(file: File): Promise<string> {
  const type = types[endingOf(file.name)];
  const url = URL.createObjectURL(new Blob([file], { type }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const scale = longestSide / Math.max(width, height, 1);
    if (type === "image/svg+xml" || (scale >= 1 && file.size <= largeBytes)) return await dataUrl(file, type);
    return await dataUrl(await smaller(image, Math.min(1, scale), type), undefined);
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Photographs stay JPEG; whatever may have a clear ground becomes PNG. */
async function smaller(image: HTMLImageElement, scale: number, type: string): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(image.naturalWidth * scale));
  canvas.height = Math.max(1, Math.round(image.naturalHeight * scale));
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("There is no canvas.");
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error("No picture.")) : resolve(blob)),
      type === "image/jpeg" ? type : "image/png",
      0.9,
    );
  });
}

function dataUrl(blob: Blob, type: string | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(type === undefined ? blob : new Blob([blob], { type }));
  });
}
