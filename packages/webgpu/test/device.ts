/** SwiftShader, the software adapter that comes with Debian's Chromium, as a device for tests. */
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { type Gpu, openGpu } from "@curvature/webgpu";

const folder = "/usr/lib/chromium";
const driver = `${folder}/vk_swiftshader_icd.json`;
const loader = `${folder}/libvulkan.so.1`;

/** Whether there is none: such tests are skipped by name. */
export const withoutDevice =
  process.env.VK_DRIVER_FILES === undefined && !(existsSync(driver) && existsSync(loader));

/** Keeps a library in the process that is no addon of Node. */
const RTLD_NODELETE = 0x1000;

export async function softwareGpu(): Promise<Gpu> {
  process.env.VK_DRIVER_FILES ??= driver;
  // Also where another process has set it for this one.
  if (process.env.VK_DRIVER_FILES === driver) {
    const { RTLD_NOW, RTLD_GLOBAL } = constants.dlopen;
    try {
      process.dlopen({ exports: {} }, loader, RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
    } catch {
      // It is no addon, but it stays, and Dawn finds it by its name.
    }
  }
  return await openGpu({ allowSoftware: true });
}
