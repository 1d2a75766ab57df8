/**
 * Loaded before the command (`--import`): counts the calls of `node:fs` that have to do with the workplace, in each
 * thread, and makes one of them fail.
 *
 *   FAULT_FOLDER   the workplace
 *   FAULT_AT       main:<n> or worker:<n>: the call number n of that thread; none if it is empty
 *   FAULT_CODE     ENOSPC, EIO, EACCES …, or "short" for a write that takes half of what it is given
 *   FAULT_LOG      where each thread leaves the names of its calls, as they come: a worker that is terminated has no end
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { isMainThread, threadId } from "node:worker_threads";

const { FAULT_FOLDER: folder, FAULT_AT: at = "", FAULT_CODE: code = "", FAULT_LOG: log = "" } = process.env;
const thread = isMainThread ? "main" : "worker";
const original = { ...fs };
const files = new Set();
let calls = 0;

function isOurs(subject) {
  if (typeof subject === "number") return files.has(subject);
  const path = subject instanceof URL && subject.protocol === "file:" ? fileURLToPath(subject) : subject;
  return typeof path === "string" && (resolve(path) + sep).startsWith(folder + sep);
}

const failure = (name, subject) =>
  Object.assign(new Error(`${code}: made to fail, ${name}`), {
    code,
    errno: -1,
    syscall: name.replace("Sync", ""),
    ...(typeof subject === "string" ? { path: subject } : {}),
  });

/** Whether this call is the one. */
function isNext(name) {
  if (log !== "") original.appendFileSync(join(log, `${thread}-${threadId}`), `${name}\n`);
  calls++;
  return `${thread}:${calls}` === at;
}

for (const name of Object.keys(original)) {
  const call = original[name];
  if (
    typeof call !== "function" ||
    !/^[a-z]/.test(name) ||
    /^create|Stream|^watch|^promises|^glob/.test(name)
  )
    continue;
  fs[name] = function patched(...given) {
    const [subject] = given;
    if (folder === undefined || !isOurs(subject)) return Reflect.apply(call, this, given);
    const callback = given.at(-1);
    if (isNext(name)) {
      if (code === "short" && name === "writeSync") given[3] = Math.max(1, given[3] >> 1);
      else if (code !== "short" && name.endsWith("Sync")) throw failure(name, subject);
      else if (code !== "short" && typeof callback === "function")
        return void process.nextTick(callback, failure(name, subject));
    }
    if (name === "open" && typeof callback === "function")
      given[given.length - 1] = (error, file) => {
        if (error === null) files.add(file);
        callback(error, file);
      };
    const result = Reflect.apply(call, this, given);
    if (name === "openSync") files.add(result);
    if (name === "close" || name === "closeSync") files.delete(subject);
    return result;
  };
}
syncBuiltinESMExports();
