// ../linalg/src/errors.ts
var CurvatureError = class extends Error {
  code;
  path;
  expected;
  received;
  constructor(code, message, details = {}) {
    super(message, details.cause === void 0 ? void 0 : { cause: details.cause });
    this.name = "CurvatureError";
    this.code = code;
    this.path = details.path;
    this.expected = details.expected;
    this.received = details.received;
  }
};

// ../linalg/src/kernels/gemm.ts
var DEPTH = 256;
var HEIGHT = 64;
var WIDTH = 512;
function gemm(sign, m, n, k, A, B, C, lower = false) {
  const depth = Math.min(DEPTH, k);
  const packedA = new Float64Array(roundedUp(Math.min(HEIGHT, m)) * depth);
  const packedB = new Float64Array(roundedUp(Math.min(WIDTH, n)) * depth);
  for (let j0 = 0; j0 < n; j0 += WIDTH) {
    const width = Math.min(WIDTH, n - j0);
    for (let p0 = 0; p0 < k; p0 += DEPTH) {
      const deep = Math.min(DEPTH, k - p0);
      pack(
        packedB,
        B.data,
        B.offset + p0 * B.rowStride + j0 * B.columnStride,
        width,
        deep,
        B.columnStride,
        B.rowStride,
      );
      for (let i0 = lower ? j0 : 0; i0 < m; i0 += HEIGHT) {
        const height = Math.min(HEIGHT, m - i0);
        pack(
          packedA,
          A.data,
          A.offset + i0 * A.rowStride + p0 * A.columnStride,
          height,
          deep,
          A.rowStride,
          A.columnStride,
        );
        for (let i = 0; i < height; i += 4) {
          const limit = lower ? Math.min(width, i0 + i + 4 - j0) : width;
          for (let j = 0; j < limit; j += 4) {
            tile(sign, packedA, i * deep, packedB, j * deep, deep, C, i0 + i, j0 + j, height - i, width - j);
          }
        }
      }
    }
  }
}
var roundedUp = (n) => (n + 3) & ~3;
function pack(packed, source, start, count, deep, stride, depthStride) {
  for (let i = 0; i < count; i += 4) {
    const lanes = Math.min(4, count - i);
    let at = i * deep;
    let from = start + i * stride;
    if (lanes === 4) {
      for (let p = 0; p < deep; p++, at += 4, from += depthStride) {
        packed[at] = source[from];
        packed[at + 1] = source[from + stride];
        packed[at + 2] = source[from + 2 * stride];
        packed[at + 3] = source[from + 3 * stride];
      }
    } else {
      for (let p = 0; p < deep; p++, at += 4, from += depthStride)
        for (let lane = 0; lane < 4; lane++)
          packed[at + lane] = lane < lanes ? source[from + lane * stride] : 0;
    }
  }
}
function tile(sign, a, aStart, b, bStart, deep, C, i, j, rows, columns) {
  let c00 = 0;
  let c01 = 0;
  let c02 = 0;
  let c03 = 0;
  let c10 = 0;
  let c11 = 0;
  let c12 = 0;
  let c13 = 0;
  let c20 = 0;
  let c21 = 0;
  let c22 = 0;
  let c23 = 0;
  let c30 = 0;
  let c31 = 0;
  let c32 = 0;
  let c33 = 0;
  for (let p = 0, ia = aStart, ib = bStart; p < deep; p++, ia += 4, ib += 4) {
    const b0 = b[ib];
    const b1 = b[ib + 1];
    const b2 = b[ib + 2];
    const b3 = b[ib + 3];
    const a0 = a[ia];
    c00 += a0 * b0;
    c01 += a0 * b1;
    c02 += a0 * b2;
    c03 += a0 * b3;
    const a1 = a[ia + 1];
    c10 += a1 * b0;
    c11 += a1 * b1;
    c12 += a1 * b2;
    c13 += a1 * b3;
    const a2 = a[ia + 2];
    c20 += a2 * b0;
    c21 += a2 * b1;
    c22 += a2 * b2;
    c23 += a2 * b3;
    const a3 = a[ia + 3];
    c30 += a3 * b0;
    c31 += a3 * b1;
    c32 += a3 * b2;
    c33 += a3 * b3;
  }
  const { data, rowStride, columnStride } = C;
  const at = C.offset + i * rowStride + j * columnStride;
  addRow(data, at, columnStride, columns, sign * c00, sign * c01, sign * c02, sign * c03);
  if (rows > 1)
    addRow(data, at + rowStride, columnStride, columns, sign * c10, sign * c11, sign * c12, sign * c13);
  if (rows > 2)
    addRow(data, at + 2 * rowStride, columnStride, columns, sign * c20, sign * c21, sign * c22, sign * c23);
  if (rows > 3)
    addRow(data, at + 3 * rowStride, columnStride, columns, sign * c30, sign * c31, sign * c32, sign * c33);
}
function addRow(data, at, stride, columns, x0, x1, x2, x3) {
  data[at] += x0;
  if (columns > 1) data[at + stride] += x1;
  if (columns > 2) data[at + 2 * stride] += x2;
  if (columns > 3) data[at + 3 * stride] += x3;
}

// ../linalg/src/options.ts
var rule = (expected, accepts) => ({ expected, accepts });
var isNumber = (value) => typeof value === "number";
var integerFrom = (least) =>
  rule(`a whole number of at least ${least}`, (v) => isNumber(v) && Number.isSafeInteger(v) && v >= least);
var positive = rule("a finite number above 0", (v) => isNumber(v) && Number.isFinite(v) && v > 0);
var nonNegative = rule("a finite number of at least 0", (v) => isNumber(v) && Number.isFinite(v) && v >= 0);
var between = (low, high) =>
  rule(`a number from ${low} to ${high}`, (v) => isNumber(v) && v >= low && v <= high);
var flag = rule("true or false", (v) => typeof v === "boolean");
var text = rule("a string", (v) => typeof v === "string");
var callback = rule("a function", (v) => typeof v === "function");
var oneOf = (...choices) =>
  rule(`one of ${choices.map((c) => `"${c}"`).join(", ")}`, (v) => choices.some((choice) => choice === v));
var either = (...rules2) =>
  rule(rules2.map((r) => r.expected).join(" or "), (v) => rules2.some((r) => r.accepts(v)));
var optional = (inner) => rule(`${inner.expected} (or left out)`, (v) => v === void 0 || inner.accepts(v));
var anything = rule("a value", () => true);
function checkOptions(where, given, defaults, rules2) {
  if (given === void 0) return { ...defaults };
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new CurvatureError("ERR_OPTION", `${where}: options must be an object.`, {
      path: where,
      received: given,
    });
  }
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(rules2, name)) throw unknownOption(where, name, Object.keys(rules2));
  }
  const settings = { ...defaults };
  for (const name in rules2) {
    const value = Object.hasOwn(given, name) ? given[name] : void 0;
    if (value !== void 0) settings[name] = value;
    if (!rules2[name].accepts(settings[name]))
      throw badOption(where, name, rules2[name].expected, settings[name]);
  }
  return settings;
}
function badOption(where, name, expected, received) {
  return new CurvatureError(
    "ERR_OPTION",
    `${where}: ${name} must be ${expected}; received ${shown(received)}.`,
    {
      path: name,
      expected,
      received,
    },
  );
}
function unknownOption(where, name, known) {
  const nearest2 = nearestName(name, known);
  const hint = nearest2 === void 0 ? `Known options: ${known.join(", ")}.` : `Did you mean "${nearest2}"?`;
  return new CurvatureError("ERR_OPTION", `${where}: unknown option ${shown(name)}. ${hint}`, {
    path: name,
    expected: known.join(", "),
    received: name,
  });
}
function nearestName(name, known) {
  const distances = known.map((candidate) => editDistance(name.toLowerCase(), candidate.toLowerCase()));
  const least = Math.min(...distances);
  const slip = least < name.length && least <= Math.max(2, Math.floor(name.length / 3));
  return slip ? known[distances.indexOf(least)] : void 0;
}
function editDistance(a, b) {
  if (a.length > 64 || b.length > 64) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, row[j] + 1, next[j - 1] + 1));
    }
    row = next;
  }
  return row[b.length];
}
function shown(value) {
  if (typeof value === "string") return JSON.stringify(shortened(value));
  if (Array.isArray(value)) return `an array of length ${value.length}`;
  if (ArrayBuffer.isView(value)) return `a ${className(value)}`;
  if (typeof value === "object" && value !== null) return `an object (${className(value)})`;
  if (typeof value === "function") return "a function";
  return shortened(String(value));
}
function className(value) {
  const name = value.constructor?.name;
  return typeof name === "string" ? shortened(name) : "no prototype";
}
var shortened = (words2) => (words2.length > 60 ? `${words2.slice(0, 57)}...` : words2);

// ../linalg/src/dense/matrix.ts
function zeros(rows, columns) {
  if (!isSize(rows) || !isSize(columns)) {
    throw new CurvatureError(
      "ERR_SHAPE",
      `A matrix's sizes must be whole numbers of at least 0; received ${shown(rows)} x ${shown(columns)}.`,
      { path: "rows, columns", expected: "whole numbers of at least 0", received: [rows, columns] },
    );
  }
  try {
    return { rows, columns, data: new Float64Array(rows * columns) };
  } catch (cause) {
    throw new CurvatureError(
      "ERR_MEMORY",
      `There is no memory for a dense matrix of ${rows} x ${columns} (${((rows * columns) / 2 ** 27).toPrecision(3)} GiB). Use a sparse matrix or fewer rows.`,
      { path: "rows, columns", received: [rows, columns], cause },
    );
  }
}
function toDense(input, name = "matrix") {
  const matrix = isRows(input) ? fromRows(input, name) : fromShaped(input, name);
  checkFinite(matrix, name);
  return matrix;
}
function isRows(input) {
  return Array.isArray(input);
}
function fromRows(input, name) {
  const rows = input.length;
  const columns = rows === 0 ? 0 : lengthOfRow(input[0], 0, name);
  const matrix = zeros(rows, columns);
  for (let i = 0; i < rows; i++) {
    const row = input[i];
    const length = lengthOfRow(row, i, name);
    if (length !== columns) {
      throw new CurvatureError(
        "ERR_SHAPE",
        `${name} is ragged: row ${i} has ${length} entries, row 0 has ${columns}. Give every row the same length.`,
        { path: `row ${i}`, expected: `${columns} entries`, received: length },
      );
    }
    for (let j = 0; j < columns; j++) matrix.data[i * columns + j] = numberAt(row[j], i, j, name);
  }
  return matrix;
}
function lengthOfRow(row, index, name) {
  if (Array.isArray(row) || (ArrayBuffer.isView(row) && "length" in row)) return Number(row.length);
  throw new CurvatureError(
    "ERR_SHAPE",
    `${name}: row ${index} must be an array of numbers; received ${shown(row)}.`,
    {
      path: `row ${index}`,
      expected: "an array of numbers",
      received: row,
    },
  );
}
function fromShaped(input, name) {
  const { rows, columns } = typeof input === "object" && input !== null ? input : {};
  if (!isSize(rows) || !isSize(columns)) {
    throw new CurvatureError(
      "ERR_SHAPE",
      `${name} must be an array of rows, { rows, columns, data } or an ml-matrix matrix; received ${shown(input)}.`,
      { path: name, received: input },
    );
  }
  if ("get" in input && typeof input.get === "function") return fromEntries(input, rows, columns, name);
  const data = "data" in input ? input.data : void 0;
  if (data?.length !== rows * columns) {
    throw new CurvatureError(
      "ERR_SHAPE",
      `${name}: ${rows} x ${columns} needs a data array of ${rows * columns} numbers; received ${data?.length ?? "none"}.`,
      { path: `${name}.data`, expected: `${rows * columns} numbers`, received: data?.length },
    );
  }
  if (data instanceof Float64Array) return { rows, columns, data };
  const copy = zeros(rows, columns);
  for (let k = 0; k < copy.data.length; k++)
    copy.data[k] = numberAt(data[k], Math.floor(k / columns), k % columns, name);
  return copy;
}
function fromEntries(input, rows, columns, name) {
  const matrix = zeros(rows, columns);
  if (columns === 0) return matrix;
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) matrix.data[i * columns + j] = numberAt(input.get(i, j), i, j, name);
  return matrix;
}
function isSize(value) {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
function numberAt(value, row, column, name) {
  if (typeof value === "number") return value;
  throw new CurvatureError(
    "ERR_NON_FINITE",
    `${name} has ${shown(value)} at row ${row}, column ${column} (counted from 0), which is not a number.`,
    { path: `row ${row}, column ${column}`, expected: "a number", received: value },
  );
}
function checkFinite(matrix, name = "matrix") {
  const { data, columns } = matrix;
  for (let k = 0; k < data.length; k++) {
    if (!Number.isFinite(data[k])) {
      const row = Math.floor(k / columns);
      const column = k % columns;
      throw new CurvatureError(
        "ERR_NON_FINITE",
        `${name} has ${data[k]} at row ${row}, column ${column} (counted from 0). Remove or fill such cells before solving.`,
        { path: `row ${row}, column ${column}`, expected: "a finite number", received: data[k] },
      );
    }
  }
}

// ../linalg/src/dense/cholesky.ts
var WIDTH2 = 64;
var LEAST_PIVOT = 1e-14;
var DenseCholesky = class {
  /** L: n × n, zeros above the diagonal. */
  factor;
  /**
   * @param A - symmetric; its lower triangle is read
   * @param inPlace - whether L takes A's place, which saves the memory of a copy
   * @throws CurvatureError ERR_SHAPE if A is not square; ERR_NOT_POSITIVE_DEFINITE where a pivot is not above
   *   1e-14 of its diagonal entry (NaN and infinite entries end here too), its index named; A is lost if `inPlace`
   */
  constructor(A, inPlace = false) {
    if (A.rows !== A.columns || A.data.length !== A.rows * A.columns) {
      throw new CurvatureError(
        "ERR_SHAPE",
        `DenseCholesky: A must be square; received ${A.rows} x ${A.columns} with ${A.data.length} numbers.`,
        {
          path: "A",
          expected: "a square matrix",
          received: `${A.rows} x ${A.columns}`,
        },
      );
    }
    this.factor = inPlace ? A : { rows: A.rows, columns: A.columns, data: A.data.slice() };
    factorInPlace(this.factor.data, A.rows);
  }
  /**
   * X with A X = B, all right-hand sides together, without allocating.
   *
   * @param B - n × d, row-major
   * @param d - how many right-hand sides; two together cost little more than one
   * @param out - n × d, for X; B itself if left out
   * @throws CurvatureError ERR_SHAPE
   */
  solve(B, d = 1, out = B) {
    const n = this.factor.rows;
    if (!Number.isSafeInteger(d) || B.length !== n * d || out.length !== n * d) {
      throw new CurvatureError(
        "ERR_SHAPE",
        `DenseCholesky.solve: B and out must have ${n} x ${d} entries; received ${B.length} and ${out.length}.`,
        { path: "B", expected: `${n} x ${d} entries`, received: [B.length, out.length] },
      );
    }
    if (out !== B) out.set(B);
    const L = this.factor.data;
    let c = 0;
    for (; c + 1 < d; c += 2) solveTwo(L, n, out, d, c);
    if (c < d) solveOne(L, n, out, d, c);
  }
};
function inverse(cholesky) {
  const n = cholesky.factor.rows;
  const X = zeros(n, n);
  for (let i = 0; i < n; i++) X.data[i * n + i] = 1;
  cholesky.solve(X.data, n);
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) X.data[j * n + i] = X.data[i * n + j];
  return X;
}
function factorInPlace(A, n) {
  const least = Float64Array.from({ length: n }, (_, i) => LEAST_PIVOT * Math.abs(A[i * n + i]));
  for (let start = 0; start < n; start += WIDTH2) {
    const end = Math.min(n, start + WIDTH2);
    factorColumns(A, n, start, end, least);
    const rest = n - end;
    const panel = end * n + start;
    const L21 = { data: A, offset: panel, rowStride: n, columnStride: 1 };
    const L21t = { data: A, offset: panel, rowStride: 1, columnStride: n };
    const A22 = { data: A, offset: end * n + end, rowStride: n, columnStride: 1 };
    gemm(-1, rest, rest, end - start, L21, L21t, A22, true);
  }
  for (let i = 0; i < n; i++) A.fill(0, i * n + i + 1, (i + 1) * n);
}
function factorColumns(A, n, start, end, least) {
  for (let i2 = start; i2 < end; i2++) {
    const row = i2 * n;
    solveRow(A, n, row, start, i2);
    const pivot = A[row + i2] - dotRows(A, row, row, start, i2);
    if (!(pivot > least[i2] && pivot < Number.POSITIVE_INFINITY)) throw notPositiveDefinite(i2, pivot);
    A[row + i2] = Math.sqrt(pivot);
  }
  let i = end;
  for (; i + 3 < n; i += 4) solveFourRows(A, n, i * n, start, end);
  for (; i < n; i++) solveRow(A, n, i * n, start, end);
}
function solveRow(A, n, row, start, end) {
  for (let j = start; j < end; j++) {
    A[row + j] = (A[row + j] - dotRows(A, row, j * n, start, j)) / A[j * n + j];
  }
}
function solveFourRows(A, n, row, start, end) {
  for (let j = start; j < end; j++) {
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    const above = j * n;
    for (let k = start; k < j; k++) {
      const l = A[above + k];
      s0 += A[row + k] * l;
      s1 += A[row + n + k] * l;
      s2 += A[row + 2 * n + k] * l;
      s3 += A[row + 3 * n + k] * l;
    }
    const pivot = A[above + j];
    A[row + j] = (A[row + j] - s0) / pivot;
    A[row + n + j] = (A[row + n + j] - s1) / pivot;
    A[row + 2 * n + j] = (A[row + 2 * n + j] - s2) / pivot;
    A[row + 3 * n + j] = (A[row + 3 * n + j] - s3) / pivot;
  }
}
function dotRows(A, a, b, start, end) {
  const whole = start + ((end - start) & ~3);
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  for (let k = start; k < whole; k += 4) {
    s0 += A[a + k] * A[b + k];
    s1 += A[a + k + 1] * A[b + k + 1];
    s2 += A[a + k + 2] * A[b + k + 2];
    s3 += A[a + k + 3] * A[b + k + 3];
  }
  for (let k = whole; k < end; k++) s0 += A[a + k] * A[b + k];
  return s0 + s1 + (s2 + s3);
}
function solveTwo(L, n, B, d, c) {
  for (let i = 0; i < n; i++) {
    const row = i * n;
    const whole = i - (i % 2);
    let s0 = 0;
    let s1 = 0;
    let t0 = 0;
    let t1 = 0;
    for (let j = 0, at = c; j < whole; j += 2, at += 2 * d) {
      const l0 = L[row + j];
      const l1 = L[row + j + 1];
      s0 += l0 * B[at];
      s1 += l0 * B[at + 1];
      t0 += l1 * B[at + d];
      t1 += l1 * B[at + d + 1];
    }
    if (whole < i) {
      s0 += L[row + whole] * B[whole * d + c];
      s1 += L[row + whole] * B[whole * d + c + 1];
    }
    B[i * d + c] = (B[i * d + c] - (s0 + t0)) / L[row + i];
    B[i * d + c + 1] = (B[i * d + c + 1] - (s1 + t1)) / L[row + i];
  }
  for (let i = n - 1; i >= 0; i--) {
    const row = i * n;
    const x0 = B[i * d + c] / L[row + i];
    const x1 = B[i * d + c + 1] / L[row + i];
    B[i * d + c] = x0;
    B[i * d + c + 1] = x1;
    for (let j = 0, at = c; j < i; j++, at += d) {
      const l = L[row + j];
      B[at] -= l * x0;
      B[at + 1] -= l * x1;
    }
  }
}
function solveOne(L, n, B, d, c) {
  for (let i = 0; i < n; i++) {
    const row = i * n;
    const whole = i - (i % 2);
    let s = 0;
    let t = 0;
    for (let j = 0, at = c; j < whole; j += 2, at += 2 * d) {
      s += L[row + j] * B[at];
      t += L[row + j + 1] * B[at + d];
    }
    if (whole < i) s += L[row + whole] * B[whole * d + c];
    B[i * d + c] = (B[i * d + c] - (s + t)) / L[row + i];
  }
  for (let i = n - 1; i >= 0; i--) {
    const row = i * n;
    const x = B[i * d + c] / L[row + i];
    B[i * d + c] = x;
    for (let j = 0, at = c; j < i; j++, at += d) B[at] -= L[row + j] * x;
  }
}
function notPositiveDefinite(index, pivot) {
  return new CurvatureError(
    "ERR_NOT_POSITIVE_DEFINITE",
    `DenseCholesky: A is not positive definite: pivot ${index} (counted from 0) is ${pivot}. Add a multiple of the identity, or check A.`,
    { path: `pivot ${index}`, expected: "a positive finite pivot", received: pivot },
  );
}

// ../linalg/src/dense/distances.ts
var BLOCK = 32;
function squaredDistances(points) {
  const X = toDense(points, "squaredDistances: points");
  const N = X.rows;
  const distances = zeros(N, N);
  const D = distances.data;
  for (let n0 = 0; n0 < N; n0 += BLOCK) {
    for (let m0 = 0; m0 <= n0; m0 += BLOCK) {
      for (let n = n0; n < Math.min(N, n0 + BLOCK); n++) {
        const end = Math.min(n, m0 + BLOCK);
        distancesFrom(X, n, X, m0, end, D, n * N + m0);
        for (let m = m0; m < end; m++) D[m * N + n] = D[n * N + m];
      }
    }
  }
  return distances;
}
function squaredDistancesBetween(X, Y) {
  if (X.columns !== Y.columns) {
    throw new CurvatureError(
      "ERR_SHAPE",
      `squaredDistancesBetween: X has ${X.columns} columns, Y has ${Y.columns}. Give both the same.`,
      { path: "Y", expected: `${X.columns} columns`, received: Y.columns },
    );
  }
  const distances = zeros(X.rows, Y.rows);
  for (let m0 = 0; m0 < Y.rows; m0 += BLOCK) {
    const end = Math.min(Y.rows, m0 + BLOCK);
    for (let n = 0; n < X.rows; n++) distancesFrom(X, n, Y, m0, end, distances.data, n * Y.rows + m0);
  }
  return distances;
}
function distancesFrom(X, n, Y, start, end, out, at) {
  const D = X.columns;
  const x = X.data;
  const y = Y.data;
  const row = n * D;
  let m = start;
  for (; m + 3 < end; m += 4, at += 4) {
    const y0 = m * D;
    const y1 = y0 + D;
    const y2 = y1 + D;
    const y3 = y2 + D;
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    for (let i = 0; i < D; i++) {
      const xi = x[row + i];
      const d0 = xi - y[y0 + i];
      const d1 = xi - y[y1 + i];
      const d2 = xi - y[y2 + i];
      const d3 = xi - y[y3 + i];
      s0 += d0 * d0;
      s1 += d1 * d1;
      s2 += d2 * d2;
      s3 += d3 * d3;
    }
    out[at] = s0;
    out[at + 1] = s1;
    out[at + 2] = s2;
    out[at + 3] = s3;
  }
  for (; m < end; m++, at++) {
    let s = 0;
    for (let i = 0; i < D; i++) {
      const d = x[row + i] - y[m * D + i];
      s += d * d;
    }
    out[at] = s;
  }
}

// ../linalg/src/kernels/vector.ts
function dot(x, y) {
  const n = x.length;
  const whole = n - (n % 4);
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  for (let i = 0; i < whole; i += 4) {
    s0 += x[i] * y[i];
    s1 += x[i + 1] * y[i + 1];
    s2 += x[i + 2] * y[i + 2];
    s3 += x[i + 3] * y[i + 3];
  }
  for (let i = whole; i < n; i++) s0 += x[i] * y[i];
  return s0 + s1 + (s2 + s3);
}
function axpy(a, x, y) {
  for (let i = 0; i < x.length; i++) y[i] += a * x[i];
}
function scale(a, x) {
  for (let i = 0; i < x.length; i++) x[i] *= a;
}
function maxAbs(x) {
  let most = 0;
  for (let i = 0; i < x.length; i++) most = Math.max(most, Math.abs(x[i]));
  return most;
}
function norm2(x) {
  const squares = dot(x, x);
  if (squares > 1e-280 && squares < Number.POSITIVE_INFINITY) return Math.sqrt(squares);
  const largest = maxAbs(x);
  if (!(largest > 0 && largest < Number.POSITIVE_INFINITY)) return largest;
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += (x[i] / largest) * (x[i] / largest);
  return largest * Math.sqrt(sum);
}

// ../linalg/src/random/generator.ts
var RandomGenerator = class {
  s = new Uint32Array(4);
  /** @param seed - a whole number from 0 to 2^53 − 1 */
  constructor(seed) {
    if (!Number.isSafeInteger(seed) || seed < 0) {
      throw new CurvatureError(
        "ERR_OPTION",
        `seed must be a whole number from 0 to 2^53 - 1; received ${seed}.`,
        {
          path: "seed",
          expected: "a whole number from 0 to 2^53 - 1",
          received: seed,
        },
      );
    }
    let h = (seed ^ Math.imul(Math.floor(seed / 2 ** 32), 2246822507)) | 0;
    for (let k = 0; k < 4; k++) {
      h = (h + 2654435769) | 0;
      let z = h;
      z = Math.imul(z ^ (z >>> 16), 569420461);
      z = Math.imul(z ^ (z >>> 15), 1935289751);
      this.s[k] = z ^ (z >>> 15);
    }
    if (this.s.every((word) => word === 0)) this.s[0] = 1;
  }
  /** A uniform 32-bit word. */
  next() {
    const s = this.s;
    const sum = (s[0] + s[3]) | 0;
    const output = ((((sum << 7) | (sum >>> 25)) + s[0]) | 0) >>> 0;
    const t = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = (s[3] << 11) | (s[3] >>> 21);
    return output;
  }
  /** Uniform on [0, 1), 53 random bits. */
  uniform() {
    const high = this.next() >>> 5;
    const low = this.next() >>> 6;
    return (high * 67108864 + low) / 9007199254740992;
  }
  /** A whole number, uniform on 0 … bound − 1 without bias (rejection). @param bound - from 1 to 2^32 */
  integer(bound) {
    if (!Number.isSafeInteger(bound) || bound < 1 || bound > 2 ** 32) {
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `integer(bound): bound must be from 1 to 2^32; received ${bound}.`,
        {
          path: "bound",
          received: bound,
        },
      );
    }
    const limit = 2 ** 32 - (2 ** 32 % bound);
    let word = this.next();
    while (word >= limit) word = this.next();
    return word % bound;
  }
  /** The four words of the state, for a snapshot. */
  save() {
    return this.s.slice();
  }
  /** Takes up a saved state. @throws CurvatureError ERR_SNAPSHOT */
  restore(words2) {
    const given = Array.from(words2 ?? []);
    if (given.length !== 4 || !given.every(isWord) || given.every((word) => word === 0)) {
      throw new CurvatureError("ERR_SNAPSHOT", "A generator's state is four 32-bit words, not all zero.", {
        path: "random",
        received: words2,
      });
    }
    this.s.set(given);
  }
};
var isWord = (value) => Number.isSafeInteger(value) && value >= 0 && value < 2 ** 32;

// ../linalg/src/eigen/pairs.ts
function orientRows(vectors) {
  for (let i = 0; i < vectors.rows; i++) {
    orient(vectors.data.subarray(i * vectors.columns, (i + 1) * vectors.columns));
  }
}
function orient(v) {
  let largest = 0;
  for (let k = 0; k < v.length; k++) if (Math.abs(v[k]) > Math.abs(largest)) largest = v[k];
  if (largest < 0) for (let k = 0; k < v.length; k++) v[k] = -v[k];
}

// ../linalg/src/eigen/tridiagonal.ts
var SWEEPS = 30;
var EPSILON = 2 ** -52;
function tridiagonalEigen(d, e, Z, width) {
  const n = d.length;
  if (e.length !== n || Z.length !== n * width) {
    throw new CurvatureError(
      "ERR_SHAPE",
      `tridiagonalEigen: for ${n} diagonal entries e must have ${n} entries and Z ${n} x ${width}; received ${e.length} and ${Z.length}.`,
      { path: "e, Z", expected: `${n} and ${n * width} entries`, received: [e.length, Z.length] },
    );
  }
  let largest = 0;
  for (let i = 0; i < n; i++) largest = Math.max(largest, Math.abs(d[i]), i + 1 < n ? Math.abs(e[i]) : 0);
  if (!Number.isFinite(largest)) throw notFinite();
  const negligible2 = EPSILON * EPSILON * largest;
  const rotations = { c: new Float64Array(n), s: new Float64Array(n) };
  let sweeps = 0;
  for (let l = 0; l < n; l++) {
    for (;;) {
      const m = endOfBlock(d, e, l, negligible2);
      if (m === l) break;
      if (sweeps++ === SWEEPS * n) throw notConverged(l);
      const last = qlSweep(d, e, l, m, rotations);
      rotateRows(Z, width, last, m, rotations);
    }
  }
}
function endOfBlock(d, e, l, negligible2) {
  let m = l;
  for (; m < d.length - 1; m++) {
    const coupling = Math.abs(e[m]);
    if (coupling <= EPSILON * (Math.abs(d[m]) + Math.abs(d[m + 1])) || coupling <= negligible2) break;
  }
  return m;
}
function qlSweep(d, e, l, m, rotations) {
  const half = (d[l + 1] - d[l]) / (2 * e[l]);
  const root2 = length2(half, 1);
  let g = d[m] - d[l] + e[l] / (half >= 0 ? half + root2 : half - root2);
  let s = 1;
  let c = 1;
  let p = 0;
  for (let i = m - 1; i >= l; i--) {
    const f = s * e[i];
    const b = c * e[i];
    const r = length2(f, g);
    e[i + 1] = r;
    if (r === 0) {
      d[i + 1] -= p;
      e[m] = 0;
      return i + 1;
    }
    s = f / r;
    c = g / r;
    g = d[i + 1] - p;
    const q = (d[i] - g) * s + 2 * c * b;
    p = s * q;
    d[i + 1] = g + p;
    g = c * q - b;
    rotations.c[i] = c;
    rotations.s[i] = s;
  }
  d[l] -= p;
  e[l] = g;
  e[m] = 0;
  return l;
}
function rotateRows(Z, width, l, m, rotations) {
  const { c, s } = rotations;
  let k = 0;
  for (; k + 3 < width; k += 4) {
    let at = m * width + k;
    let x0 = Z[at];
    let x1 = Z[at + 1];
    let x2 = Z[at + 2];
    let x3 = Z[at + 3];
    for (let i = m - 1; i >= l; i--) {
      const ci = c[i];
      const si = s[i];
      const z0 = Z[at - width];
      const z1 = Z[at - width + 1];
      const z2 = Z[at - width + 2];
      const z3 = Z[at - width + 3];
      Z[at] = si * z0 + ci * x0;
      Z[at + 1] = si * z1 + ci * x1;
      Z[at + 2] = si * z2 + ci * x2;
      Z[at + 3] = si * z3 + ci * x3;
      x0 = ci * z0 - si * x0;
      x1 = ci * z1 - si * x1;
      x2 = ci * z2 - si * x2;
      x3 = ci * z3 - si * x3;
      at -= width;
    }
    Z[at] = x0;
    Z[at + 1] = x1;
    Z[at + 2] = x2;
    Z[at + 3] = x3;
  }
  for (; k < width; k++) {
    let at = m * width + k;
    let x = Z[at];
    for (let i = m - 1; i >= l; i--, at -= width) {
      const z = Z[at - width];
      Z[at] = s[i] * z + c[i] * x;
      x = c[i] * z - s[i] * x;
    }
    Z[at] = x;
  }
}
function length2(a, b) {
  const x = Math.abs(a);
  const y = Math.abs(b);
  const large = Math.max(x, y);
  if (large === 0) return 0;
  const ratio = Math.min(x, y) / large;
  return large * Math.sqrt(1 + ratio * ratio);
}
function notFinite() {
  return new CurvatureError(
    "ERR_NON_FINITE",
    "tridiagonalEigen: d or e has a NaN or an infinity. Give finite entries.",
    { path: "d, e", expected: "finite numbers" },
  );
}
function notConverged(index) {
  return new CurvatureError(
    "ERR_NO_CONVERGENCE",
    `The eigenvalue at place ${index} of a tridiagonal matrix did not converge in ${SWEEPS} sweeps per eigenvalue. Scale the matrix to entries up to 1.`,
    { path: `eigenvalue ${index}` },
  );
}

// ../linalg/src/eigen/symmetric.ts
var NEGLIGIBLE = 1e-280;
function symmetricEigen(A) {
  const { Z, d, e, h, size } = tridiagonalized(A, "symmetricEigen");
  const n = d.length;
  assemble(Z, n, h);
  tridiagonalEigen(d, e, Z, n);
  for (let i = 0; i < n; i++) d[i] *= size;
  return sorted(d, Z);
}
function tridiagonalized(A, where) {
  if (A.rows !== A.columns) {
    throw new CurvatureError("ERR_SHAPE", `${where}: A must be square; received ${A.rows} x ${A.columns}.`, {
      path: "A",
      expected: "a square matrix",
      received: `${A.rows} x ${A.columns}`,
    });
  }
  const n = A.rows;
  const Z = lowerTriangle(A);
  checkFinite({ rows: n, columns: n, data: Z }, `${where}: A`);
  const size = maxAbs(Z) || 1;
  for (let k = 0; k < Z.length; k++) Z[k] /= size;
  const d = new Float64Array(n);
  const e = new Float64Array(n);
  const h = reduce(Z, n, d, e);
  return { Z, d, e, h, size };
}
function lowerTriangle(A) {
  const n = A.rows;
  const L = new Float64Array(n * n);
  for (let i = 0; i < n; i++) L.set(A.data.subarray(i * n, i * n + i + 1), i * n);
  return L;
}
function reduce(A, n, d, e) {
  const h = new Float64Array(n);
  const w = new Float64Array(n);
  for (let i = n - 1; i > 0; i--) {
    const row = i * n;
    let squares = 0;
    for (let k = 0; k < i - 1; k++) squares += A[row + k] * A[row + k];
    const x = A[row + i - 1];
    d[i] = A[row + i];
    if (squares < NEGLIGIBLE) {
      e[i - 1] = x;
      continue;
    }
    const norm = Math.sqrt(squares + x * x);
    e[i - 1] = x > 0 ? -norm : norm;
    A[row + i - 1] = x - e[i - 1];
    h[i] = squares + x * x - x * e[i - 1];
    twoSidedReflection(A, n, i, h[i], w);
  }
  if (n > 0) d[0] = A[0];
  return h;
}
function twoSidedReflection(A, n, i, h, w) {
  const v = i * n;
  for (let j = 0; j < i; j++) {
    const row = j * n;
    const vj = A[v + j];
    let sum = 0;
    for (let k = 0; k < j; k++) {
      const a = A[row + k];
      sum += a * A[v + k];
      w[k] += a * vj;
    }
    w[j] = sum + A[row + j] * vj;
  }
  let vp = 0;
  for (let j = 0; j < i; j++) {
    w[j] /= h;
    vp += A[v + j] * w[j];
  }
  const half = vp / (2 * h);
  for (let j = 0; j < i; j++) w[j] -= half * A[v + j];
  for (let j = 0; j < i; j++) {
    const row = j * n;
    const vj = A[v + j];
    const wj = w[j];
    for (let k = 0; k <= j; k++) A[row + k] -= vj * w[k] + wj * A[v + k];
  }
}
function assemble(Z, n, h) {
  for (let i = 0; i < n; i++) {
    const v = i * n;
    if (h[i] !== 0) {
      for (let j = 0; j < i; j++) {
        const row = j * n;
        let sum = 0;
        for (let k = 0; k < i; k++) sum += Z[row + k] * Z[v + k];
        sum /= h[i];
        for (let k = 0; k < i; k++) Z[row + k] -= sum * Z[v + k];
      }
    }
    for (let k = 0; k < i; k++) {
      Z[v + k] = 0;
      Z[k * n + i] = 0;
    }
    Z[v + i] = 1;
  }
}
function sorted(d, Z) {
  const n = d.length;
  const order = Array.from(d.keys()).sort((a, b) => d[a] - d[b] || a - b);
  const vectors = zeros(n, n);
  order.forEach((from, to) => {
    vectors.data.set(Z.subarray(from * n, (from + 1) * n), to * n);
  });
  orientRows(vectors);
  return { values: Float64Array.from(order, (i) => d[i]), vectors };
}

// ../linalg/src/eigen/operator.ts
var LARGEST_DENSE = 200;
function denseOperatorEigen(where, apply, n, count, end) {
  const A = zeros(n, n);
  const unit = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    unit[i] = 1;
    const row = A.data.subarray(i * n, (i + 1) * n);
    apply(unit, row);
    if (!Number.isFinite(norm2(row))) throw operatorNotFinite(where);
    unit[i] = 0;
  }
  const { values, vectors } = symmetricEigen(A);
  const chosen2 = fromEnd(values.length, count, end);
  const rows = new Float64Array(count * n);
  chosen2.forEach((from, to) => {
    rows.set(vectors.data.subarray(from * n, (from + 1) * n), to * n);
  });
  return { values: Float64Array.from(chosen2, (i) => values[i]), vectors: rows };
}
function fromEnd(size, count, end) {
  return Array.from({ length: count }, (_, i) => (end === "smallest" ? i : size - 1 - i));
}
function measuredPairs(apply, n, values, rows, productsBefore) {
  const vectors = { rows: values.length, columns: n, data: rows };
  orientRows(vectors);
  const Au = new Float64Array(n);
  const residuals = values.map((value, i) => {
    const u = rows.subarray(i * n, (i + 1) * n);
    apply(u, Au);
    axpy(-value, u, Au);
    return norm2(Au);
  });
  return { values, vectors, residuals, products: productsBefore + values.length };
}
function checkOperator(where, apply, n, count) {
  if (typeof apply !== "function") {
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `${where}: the operator must be a function (v, out) that writes A v into out; received ${shown(apply)}.`,
      { path: "apply", expected: "a function", received: apply },
    );
  }
  if (!Number.isSafeInteger(n) || n < 1 || n > 2 ** 31 - 1) {
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `${where}: n must be a whole number from 1 to 2^31 - 1; received ${n}.`,
      {
        path: "n",
        received: n,
      },
    );
  }
  if (count > n) {
    throw new CurvatureError("ERR_OPTION", `${where}: count must be at most n = ${n}; received ${count}.`, {
      path: "count",
      expected: `at most ${n}`,
      received: count,
    });
  }
}
function operatorNotFinite(where) {
  return new CurvatureError(
    "ERR_NON_FINITE",
    `${where}: a product with the operator has NaN or infinite entries. Check the operator's data.`,
    { path: "apply" },
  );
}

// ../linalg/src/portable/power-of-two.ts
var powerOfTwo = /* @__PURE__ */ powers();
function powers() {
  const table = new Float64Array(2046);
  for (let e = 0, p = 1; e <= 1023; e++, p *= 2) table[e + 1022] = p;
  for (let e = -1, p = 0.5; e >= -1022; e--, p *= 0.5) table[e + 1022] = p;
  return table;
}

// ../linalg/src/portable/log.ts
var view = /* @__PURE__ */ new Float64Array(1);
var words = /* @__PURE__ */ new Int32Array(view.buffer);
var HIGH_WORD = /* @__PURE__ */ highWord();
function log(x) {
  return x >= 2 ** -1022 && x <= 2 ** 1022 ? logPlain(x, 0) : logExtreme(x);
}
function log1p(x) {
  if (!(x > -1 && x <= 2 ** 1022 && x !== 0)) return log1pExtreme(x);
  const u = 1 + x;
  const one = u - x;
  const e = 1 - one + (x - (u - one));
  const k = exponent(u);
  const scale2 = powerOfTwo[1022 - k];
  const m1 = u * scale2 - 1;
  const f = m1 + e * scale2;
  const c = e * scale2 - (f - m1);
  const s = f / (2 + f);
  return assemble2(k, f, s, c * (1 - s) * (1 - s + s * s));
}
function logPlain(x, shift) {
  const k = exponent(x);
  const f = x * powerOfTwo[1022 - k] - 1;
  return assemble2(k + shift, f, f / (2 + f), 0);
}
function exponent(x) {
  view[0] = x;
  return ((words[HIGH_WORD] + 614242) >> 20) - 1023;
}
function assemble2(k, f, s, c) {
  const halfSquare = 0.5 * f * f;
  const z = s * s;
  const w = z * z;
  const odd =
    0.666666666666667 + w * (0.28571428626001427 + w * (0.18182889433757515 + w * 0.14616576421644387));
  const even = 0.3999999999989945 + w * (0.22222211130560726 + w * 0.15331711346672997);
  const R = z * (odd + z * even);
  return k * 0.6931471803691238 - (halfSquare - (s * (halfSquare + R) + (k * 19082149292705877e-26 + c)) - f);
}
function logExtreme(x) {
  if (x === 0) return Number.NEGATIVE_INFINITY;
  if (!(x > 0) || x === Number.POSITIVE_INFINITY) return x < 0 ? Number.NaN : x;
  return x < 1 ? logPlain(x * 2 ** 54, -54) : logPlain(x * 2 ** -54, 54);
}
function log1pExtreme(x) {
  if (x === 0) return x;
  return x <= -1 ? logExtreme(x === -1 ? 0 : x) : logExtreme(x);
}
function highWord() {
  view[0] = 1;
  return words[0] === 0 ? 1 : 0;
}

// ../linalg/src/random/normal.ts
function fillNormal(random, out) {
  for (let k = 0; k < out.length; ) {
    const u = 2 * random.uniform() - 1;
    const v = 2 * random.uniform() - 1;
    const s = u * u + v * v;
    if (s >= 1 || s === 0) continue;
    const length = Math.sqrt((-2 * log(s)) / s);
    out[k++] = u * length;
    if (k < out.length) out[k++] = v * length;
  }
}

// ../linalg/src/eigen/orthogonal.ts
var none = { data: /* @__PURE__ */ new Float64Array(0), count: 0 };
function project(V, w, coefficients, other = none) {
  const n = w.length;
  const h = new Float64Array(Math.max(V.count, other.count));
  for (let pass = 0; pass < 2; pass++) {
    for (let i = 0; i < other.count; i++) h[i] = dotRow(other.data, i * n, w);
    for (let i = 0; i < other.count; i++) subtractRow(h[i], other.data, i * n, w);
    for (let i = 0; i < V.count; i++) {
      h[i] = dotRow(V.data, i * n, w);
      coefficients[i] += h[i];
    }
    for (let i = 0; i < V.count; i++) subtractRow(h[i], V.data, i * n, w);
  }
}
function randomDirection(random, V, w, other = none) {
  if (V.count + other.count >= w.length) return false;
  const scratch = new Float64Array(V.count);
  for (let attempt = 0; attempt < 5; attempt++) {
    fillNormal(random, w);
    const before = norm2(w);
    project(V, w, scratch, other);
    const after = norm2(w);
    if (after > 1e-8 * before) {
      scale(1 / after, w);
      project(V, w, scratch, other);
      return true;
    }
  }
  return false;
}
function combineRows(C, V, n) {
  const rows = new Float64Array(C.rows * n);
  const block = (data, stride) => ({
    data,
    offset: 0,
    rowStride: stride,
    columnStride: 1,
  });
  gemm(1, C.rows, n, C.columns, block(C.data, C.columns), block(V, n), block(rows, n));
  return rows;
}
function dotRow(V, row, w) {
  const n = w.length;
  const whole = n - (n % 4);
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  for (let k = 0; k < whole; k += 4) {
    s0 += V[row + k] * w[k];
    s1 += V[row + k + 1] * w[k + 1];
    s2 += V[row + k + 2] * w[k + 2];
    s3 += V[row + k + 3] * w[k + 3];
  }
  for (let k = whole; k < n; k++) s0 += V[row + k] * w[k];
  return s0 + s1 + (s2 + s3);
}
function subtractRow(h, V, row, w) {
  for (let k = 0; k < w.length; k++) w[k] -= h * V[row + k];
}

// ../linalg/src/eigen/lanczos.ts
var lanczosDefaults = Object.freeze({
  count: 1,
  which: "largest",
  tolerance: 1e-10,
  maxProducts: 2e4,
  seed: 0,
});
function lanczos(apply, n, options = {}) {
  const settings = checkOptions("lanczos", options, lanczosDefaults, {
    count: integerFrom(1),
    which: oneOf("smallest", "largest"),
    tolerance: positive,
    maxProducts: integerFrom(1),
    seed: integerFrom(0),
  });
  const { count, which } = settings;
  checkOperator("lanczos", apply, n, count);
  if (n <= Math.max(LARGEST_DENSE, 3 * count)) {
    const { values, vectors } = denseOperatorEigen("lanczos", apply, n, count, which);
    return measuredPairs(apply, n, values, vectors, n);
  }
  const search = new Search(apply, n, settings);
  const found = search.extremes(count, settings.tolerance, { data: new Float64Array(0), count: 0 });
  search.completeMultiples(found);
  return measuredPairs(apply, n, found.values, found.vectors, search.products);
}
var Search = class {
  constructor(apply, n, settings) {
    this.apply = apply;
    this.n = n;
    this.settings = settings;
    this.random = new RandomGenerator(settings.seed);
  }
  apply;
  n;
  settings;
  products = 0;
  random;
  /** max |θ| so far: the operator's size. */
  size = 0;
  /** Looks in the complement of what was found for better pairs, and takes them in, until there are none. */
  completeMultiples(found) {
    const { values, vectors } = found;
    const { tolerance, which } = this.settings;
    const { n } = this;
    const count = values.length;
    const locked = { data: vectors, count };
    const sign = which === "smallest" ? 1 : -1;
    for (let round = 0; round < count; round++) {
      const worst = sign * values[count - 1];
      const glance = this.extremes(1, Math.max(tolerance, 1e-6), locked);
      if (sign * glance.values[0] > worst + 1e-5 * this.size) return;
      const other = this.extremes(1, tolerance, locked);
      if (sign * other.values[0] >= worst - 2 * tolerance * this.size) return;
      let place = count - 1;
      for (; place > 0 && sign * other.values[0] < sign * values[place - 1]; place--) {
        values[place] = values[place - 1];
        vectors.copyWithin(place * n, (place - 1) * n, place * n);
      }
      values[place] = other.values[0];
      vectors.set(other.vectors, place * n);
    }
  }
  /** The `count` extreme pairs in the complement of `locked`. */
  extremes(count, tolerance, locked) {
    const { n } = this;
    const m = Math.min(n - locked.count, Math.max(2 * count + 20, 40));
    const V = new Float64Array((m + 1) * n);
    const H = new Float64Array(m * m);
    randomDirection(this.random, { data: V, count: 0 }, V.subarray(0, n), locked);
    for (let start = 0; ; ) {
      const { filled, beta } = this.expand(V, H, m, start, locked);
      const { values: theta, vectors: S } = symmetricEigen(leading(H, m, filled));
      this.size = Math.max(this.size, Math.abs(theta[0]), Math.abs(theta[filled - 1]));
      const order = fromEnd(filled, filled, this.settings.which);
      const residual = (i) => Math.abs(beta * S.data[order[i] * filled + filled - 1]);
      let worst = 0;
      for (let i = 0; i < count; i++) worst = Math.max(worst, residual(i));
      const done = worst <= tolerance * this.size;
      if (!done && this.products >= this.settings.maxProducts)
        throw notConverged2(this.settings, worst, this.size);
      const keep = done ? count : Math.min(filled - 1, count + Math.ceil((filled - count) / 3));
      const rows = combineRows(chosenRows(S, order, keep), V, n);
      if (done)
        return { values: Float64Array.from({ length: count }, (_, i) => theta[order[i]]), vectors: rows };
      V.copyWithin(keep * n, filled * n, (filled + 1) * n);
      V.set(rows);
      H.fill(0);
      for (let i = 0; i < keep; i++) H[i * m + i] = theta[order[i]];
      start = keep;
    }
  }
  /** Adds rows to V and H from row `start` on, which is there already, up to m of them or all that there are. */
  expand(V, H, m, start, locked) {
    const { n } = this;
    const h = new Float64Array(m);
    let beta = 0;
    for (let j = start; j < m; j++) {
      const w = V.subarray((j + 1) * n, (j + 2) * n);
      this.apply(V.subarray(j * n, (j + 1) * n), w);
      this.products++;
      const before = norm2(w);
      if (!Number.isFinite(before)) throw operatorNotFinite("lanczos");
      h.fill(0);
      project({ data: V, count: j + 1 }, w, h, locked);
      for (let i = 0; i <= j; i++) {
        H[i * m + j] = h[i];
        H[j * m + i] = h[i];
      }
      beta = norm2(w);
      const small = beta <= 1e-4 * Math.max(before, this.size);
      if (small && beta <= 1e-12 * Math.max(before, this.size)) {
        beta = 0;
        if (!randomDirection(this.random, { data: V, count: j + 1 }, w, locked))
          return { filled: j + 1, beta };
        continue;
      }
      scale(1 / beta, w);
      if (small) {
        project({ data: V, count: j + 1 }, w, h, locked);
        scale(1 / norm2(w), w);
      }
    }
    return { filled: m, beta };
  }
};
function leading(H, m, size) {
  const block = zeros(size, size);
  for (let i = 0; i < size; i++) block.data.set(H.subarray(i * m, i * m + size), i * size);
  return block;
}
function chosenRows(S, order, count) {
  const chosen2 = zeros(count, S.columns);
  for (let i = 0; i < count; i++) {
    chosen2.data.set(S.data.subarray(order[i] * S.columns, (order[i] + 1) * S.columns), i * S.columns);
  }
  return chosen2;
}
function notConverged2(settings, residual, size) {
  return new CurvatureError(
    "ERR_NO_CONVERGENCE",
    `lanczos: after ${settings.maxProducts} products the residual is ${residual / size} of the operator's size; the tolerance is ${settings.tolerance}. Raise maxProducts or tolerance, or use blockEigen with a preconditioner.`,
    { path: "maxProducts", expected: `${settings.tolerance}`, received: residual / size },
  );
}

// ../linalg/src/dense/product.ts
function multiply(A, B) {
  checkInner("A B", A, A.columns, B, B.rows);
  return product(A.rows, B.columns, A.columns, plain(A), plain(B));
}
function transposeMultiply(A, B) {
  checkInner("A\u1D40 B", A, A.rows, B, B.rows);
  return product(A.columns, B.columns, A.rows, turned(A), plain(B));
}
function multiplyTranspose(A, B) {
  checkInner("A B\u1D40", A, A.columns, B, B.columns);
  return product(A.rows, B.rows, A.columns, plain(A), turned(B));
}
function gram(A) {
  return symmetricProduct(A.columns, A.rows, turned(A), plain(A));
}
function outerGram(A) {
  return symmetricProduct(A.rows, A.columns, plain(A), turned(A));
}
function matrixTimesVector(A, v, out) {
  const { rows, columns, data } = A;
  const whole = columns - (columns % 4);
  for (let i = 0; i < rows; i++) {
    const row = i * columns;
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    for (let j = 0; j < whole; j += 4) {
      s0 += data[row + j] * v[j];
      s1 += data[row + j + 1] * v[j + 1];
      s2 += data[row + j + 2] * v[j + 2];
      s3 += data[row + j + 3] * v[j + 3];
    }
    for (let j = whole; j < columns; j++) s0 += data[row + j] * v[j];
    out[i] = s0 + s1 + (s2 + s3);
  }
}
var plain = (A) => ({ data: A.data, offset: 0, rowStride: A.columns, columnStride: 1 });
var turned = (A) => ({
  data: A.data,
  offset: 0,
  rowStride: 1,
  columnStride: A.columns,
});
function product(m, n, k, A, B) {
  const C = zeros(m, n);
  gemm(1, m, n, k, A, B, plain(C));
  return C;
}
function symmetricProduct(n, k, A, B) {
  const C = zeros(n, n);
  gemm(1, n, n, k, A, B, plain(C), true);
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) C.data[j * n + i] = C.data[i * n + j];
  return C;
}
function checkInner(what, A, a, B, b) {
  if (a === b) return;
  throw new CurvatureError(
    "ERR_SHAPE",
    `${what}: the inner sizes differ: A is ${A.rows} x ${A.columns}, B is ${B.rows} x ${B.columns}.`,
    { path: "B", expected: `${a}`, received: b },
  );
}

// ../linalg/src/portable/exp-table.ts
var powersOfTwo128 = /* @__PURE__ */ new Float64Array([
  1,
  0,
  1.0054299011128027,
  9499186535455032e-32,
  1.0108892860517005,
  -15234778603368577e-33,
  1.016378314910953,
  -577217007319966e-31,
  1.0218971486541166,
  5109225028973444e-32,
  1.0274459491187637,
  -49560741746453704e-33,
  1.0330248790212284,
  7600838874027088e-33,
  1.0386341019613787,
  5996273788852511e-32,
  1.0442737824274138,
  8551889705537965e-32,
  1.0499440858006872,
  5592937848127003e-32,
  1.0556451783605572,
  1759325738772092e-33,
  1.061377227289262,
  -11973537085365658e-33,
  1.0671404006768237,
  -7899853966841582e-32,
  1.0729348675259756,
  -3839668843358824e-33,
  1.0787607977571199,
  -6656660436056593e-32,
  1.0846183622133092,
  3166152845816346e-32,
  1.0905077326652577,
  -3046782079812471e-32,
  1.0964290818163769,
  -5919933484449316e-32,
  1.102382583307841,
  52660368715706944e-33,
  1.1083684117236787,
  -8786813845180527e-32,
  1.1143867425958924,
  10410278456845571e-32,
  1.1204377524096067,
  -6201085906554179e-32,
  1.1265216186082418,
  5165856758795457e-32,
  1.1326385195987192,
  3237356166738e-29,
  1.1387886347566916,
  8912812676025408e-32,
  1.1449721444318042,
  46412898921700107e-33,
  1.1511892299529827,
  3250710218863827e-32,
  1.1574400736337511,
  -91238712311344e-30,
  1.1637248587775775,
  38292048369240935e-33,
  1.1700437696832502,
  -18477442017900047e-34,
  1.1763969916502812,
  5554203254218079e-32,
  1.182784710984341,
  1542975430079076e-32,
  1.189207115002721,
  3982015231465646e-32,
  1.1956643920398273,
  46166036704814814e-33,
  1.202156731452703,
  6644981499252301e-32,
  1.2086843236265816,
  -4746725945228984e-32,
  1.215247359980469,
  -7712630692681488e-32,
  1.2218460329727576,
  -10611021211402691e-32,
  1.22848053610687,
  -189878163130253e-31,
  1.2351510639369334,
  -10755244344307841e-32,
  1.241857812073484,
  4658027591836937e-32,
  1.2486009771892048,
  -8261810999021964e-32,
  1.255380757024691,
  -67113898212968784e-34,
  1.2621973503942507,
  -30844648874738465e-33,
  1.2690509571917332,
  2667932131342186e-33,
  1.275941778396392,
  991543024421429e-31,
  1.2828700160787783,
  1713594918243561e-32,
  1.2898358734066657,
  8949257530897592e-32,
  1.2968395546510096,
  25382502794888315e-33,
  1.3038812651919358,
  8647675598267871e-32,
  1.3109612115247644,
  -7181536135519454e-32,
  1.318079601266064,
  -54579558271491535e-33,
  1.3252366431597413,
  -28587312100388614e-33,
  1.3324325470831615,
  -5101586630916744e-32,
  1.339667524053303,
  8927282594831732e-32,
  1.3469417862329458,
  3224065101254679e-32,
  1.3542555469368927,
  770094837980299e-31,
  1.3616090206382248,
  1533787661270668e-33,
  1.3690024229745905,
  9593797919118849e-32,
  1.3764359707545302,
  -6898588935871801e-32,
  1.383909881963832,
  -6770511658794786e-32,
  1.3914243757719262,
  -49061748652889893e-33,
  1.3989796725383112,
  -9614213209051323e-32,
  1.4065759938190154,
  7034914812136422e-33,
  Math.SQRT2,
  -9667293313452913e-32,
  1.4218926021691656,
  -16077828915890244e-33,
  1.42961333839197,
  -12031642489053655e-33,
  1.4373759974489824,
  -42040340164675566e-33,
  1.4451808069770467,
  -30237581349939873e-33,
  1.4530279958490526,
  -5779948609396106e-32,
  1.460917794180647,
  -5600377186075216e-32,
  1.4688504333369818,
  8465882756533628e-32,
  1.4768261459394993,
  -3483994556892796e-32,
  1.4848451658727524,
  10780086764407481e-32,
  1.4929077282912648,
  14192920154284036e-33,
  1.5010140696264256,
  -6413767275790235e-32,
  1.5091644275934228,
  -1016455327754295e-31,
  1.5173590411982147,
  -4308699472043341e-32,
  1.5255981507445384,
  -11024941712342561e-32,
  1.533881997840956,
  8875226844438446e-32,
  1.5422108254079407,
  7949834809697621e-32,
  1.550584877685,
  -14600706590689385e-33,
  1.559004400237837,
  37812070533575275e-33,
  1.567469639965553,
  -10352061768849722e-32,
  1.5759808451078865,
  -10136916471278304e-33,
  1.5845382652524937,
  -19337717034585703e-33,
  1.593142151342267,
  -10094406542311964e-32,
  1.6017927556826934,
  -6054917453527784e-32,
  1.6104903319492543,
  24707192569797888e-33,
  1.6192351351948637,
  20941334154229092e-33,
  1.6280274218573478,
  -6712955084707084e-32,
  1.6368674497669644,
  7698325071319876e-32,
  1.645755478153965,
  -10125679913674773e-32,
  1.6546917676561943,
  9643294303196029e-32,
  1.6636765803267364,
  58909926967131e-30,
  1.6727101796415966,
  -5476715964599563e-32,
  1.681792830507429,
  8199010020581497e-32,
  1.6909247992693053,
  -966967147439488e-31,
  1.7001063537185235,
  -80237193703977e-31,
  1.709337763100463,
  -9868779456632931e-32,
  1.718619298122478,
  -1851380418263111e-32,
  1.7279512309618377,
  -10750981861204642e-32,
  1.7373338352737062,
  3164389299292957e-32,
  1.746767386199169,
  -10752290483507515e-32,
  1.7562521603732995,
  2960140695448873e-32,
  1.7657884359332727,
  9461315018083268e-32,
  1.7753764925265212,
  6429731796556572e-32,
  1.785016611318935,
  15330400121031314e-33,
  1.7947090750031072,
  18227458427912087e-33,
  1.804454167806624,
  -5177222408793318e-32,
  1.8142521755003989,
  -9969531538920349e-32,
  1.8241033854070534,
  -10159627862277083e-32,
  1.8340080864093424,
  3283107224245627e-32,
  1.843966568958626,
  -5939742026949965e-32,
  1.8539791250833855,
  9761887490727594e-32,
  1.864046048397789,
  6540912680620572e-32,
  1.8741676341103,
  -6122763413004143e-32,
  1.8843441790323345,
  -8226593125533711e-32,
  1.8945759815869656,
  34034035352165297e-33,
  1.9048633418176741,
  6533857514718279e-32,
  1.9152065613971474,
  -10619946056195963e-32,
  1.925605943636125,
  -9914963769693741e-32,
  1.9360617934922943,
  10332385960676326e-32,
  1.9465744175792332,
  6811022349533877e-32,
  1.9571441241754002,
  8960767791036668e-32,
  1.9677712232331759,
  -10314928011531132e-32,
  1.978456026387951,
  40388753109278167e-33,
  1.9891988469672663,
  82051326383692e-31,
]);

// ../linalg/src/portable/exp.ts
function exp(x) {
  return Math.abs(x) < 708 ? scaledExp(x, 0) : expExtreme(x);
}
function scaledExp(x, shift) {
  const kRounded = x * 184.6649652337873 + 6755399441055744 - 6755399441055744;
  const k = kRounded | 0;
  const r = x - kRounded * 0.00541521234663378 - kRounded * 14907929134926466e-28;
  const r2 = r * r;
  const p = r + r2 * (0.5 + r * (1 / 6) + r2 * (1 / 24 + r * (1 / 120)));
  const j = (k & 127) << 1;
  const T = powersOfTwo128[j];
  return (T + (powersOfTwo128[j + 1] + T * p)) * powerOfTwo[(k >> 7) + 1022 + shift];
}
function expExtreme(x) {
  if (x > 709.8) return Number.POSITIVE_INFINITY;
  if (x < -745.2) return 0;
  return x > 0 ? scaledExp(x, -64) * 2 ** 64 : scaledExp(x, 64) * 2 ** -64;
}

// ../linalg/src/random/sample.ts
function shuffle(random, items) {
  for (let i = items.length - 1; i > 0; i--) {
    const j = random.integer(i + 1);
    const item = items[i];
    items[i] = items[j];
    items[j] = item;
  }
}
function permutation(random, n) {
  checkCount("permutation(random, n): n", n, 2 ** 31 - 1);
  const order = new Int32Array(n);
  for (let i = 0; i < n; i++) order[i] = i;
  shuffle(random, order);
  return order;
}
function checkCount(what, value, most) {
  if (Number.isSafeInteger(value) && value >= 0 && value <= most) return;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `${what} must be a whole number from 0 to ${most}; received ${value}.`,
    {
      expected: `a whole number from 0 to ${most}`,
      received: value,
    },
  );
}

// ../optim-core/src/solvers/start.ts
function checkStart(where, objective, x) {
  const isObjective =
    typeof objective === "object" &&
    objective !== null &&
    "dimension" in objective &&
    Number.isSafeInteger(objective.dimension) &&
    Number(objective.dimension) >= 1 &&
    "evaluate" in objective &&
    typeof objective.evaluate === "function";
  if (!isObjective)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `${where}: the objective must have a dimension of at least 1 and a function evaluate(x, gradient); received ${shown(objective)}.`,
      { path: "objective", received: objective },
    );
  checkPoint(where, x, Number(objective.dimension));
}
function checkPoint(where, x, dimension) {
  if (!(x instanceof Float64Array) || x.length !== dimension)
    throw new CurvatureError(
      "ERR_SHAPE",
      `${where}: the first point must be a Float64Array of length ${dimension}; received ${shown(x)}${x instanceof Float64Array ? ` of length ${x.length}` : ""}.`,
      { path: "x", expected: `a Float64Array of length ${dimension}`, received: x },
    );
  const at = x.findIndex((entry) => !Number.isFinite(entry));
  if (at >= 0)
    throw new CurvatureError(
      "ERR_NON_FINITE",
      `${where}: the first point has ${x[at]} at ${at} (counted from 0).`,
      {
        path: `x[${at}]`,
        expected: "a finite number",
        received: x[at],
      },
    );
}

// ../optim-core/src/typed-arrays.ts
function littleEndianBytes(array, machineIsLittle = isLittleEndian()) {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  return machineIsLittle ? bytes : swapped(bytes, array.BYTES_PER_ELEMENT);
}
function fromLittleEndian(make, bytes, elementBytes, machineIsLittle = isLittleEndian()) {
  const own = machineIsLittle ? bytes.slice() : swapped(bytes, elementBytes);
  return new make(own.buffer);
}
function swapped(bytes, elementBytes) {
  const result = new Uint8Array(bytes.length);
  for (let start = 0; start < bytes.length; start += elementBytes)
    for (let k = 0; k < elementBytes; k++) result[start + k] = bytes[start + elementBytes - 1 - k];
  return result;
}
function isLittleEndian() {
  return new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;
}

// ../optim-core/src/hash.ts
var C1 = 597399067;
var C2 = 2869860233;
var C3 = 951274213;
var C4 = 2716044179;
function hash128(bytes, seed = 0) {
  const view2 = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = bytes.byteLength;
  const end = length - (length % 16);
  let h1 = seed | 0;
  let h2 = h1;
  let h3 = h1;
  let h4 = h1;
  for (let at = 0; at < end; at += 16) {
    h1 = (h1 ^ mix(view2.getInt32(at, true), C1, 15, C2)) | 0;
    h1 = (Math.imul((rotated(h1, 19) + h2) | 0, 5) + 1444728091) | 0;
    h2 = (h2 ^ mix(view2.getInt32(at + 4, true), C2, 16, C3)) | 0;
    h2 = (Math.imul((rotated(h2, 17) + h3) | 0, 5) + 197830471) | 0;
    h3 = (h3 ^ mix(view2.getInt32(at + 8, true), C3, 17, C4)) | 0;
    h3 = (Math.imul((rotated(h3, 15) + h4) | 0, 5) + 2530024501) | 0;
    h4 = (h4 ^ mix(view2.getInt32(at + 12, true), C4, 18, C1)) | 0;
    h4 = (Math.imul((rotated(h4, 13) + h1) | 0, 5) + 850148119) | 0;
  }
  const tail = new DataView(new ArrayBuffer(16));
  for (let k = end; k < length; k++) tail.setUint8(k - end, bytes[k]);
  h1 ^= mix(tail.getInt32(0, true), C1, 15, C2) ^ length;
  h2 ^= mix(tail.getInt32(4, true), C2, 16, C3) ^ length;
  h3 ^= mix(tail.getInt32(8, true), C3, 17, C4) ^ length;
  h4 ^= mix(tail.getInt32(12, true), C4, 18, C1) ^ length;
  h1 = (h1 + h2 + h3 + h4) | 0;
  h2 = avalanche(h2 + h1);
  h3 = avalanche(h3 + h1);
  h4 = avalanche(h4 + h1);
  h1 = (avalanche(h1) + h2 + h3 + h4) | 0;
  return Uint32Array.of(h1, h2 + h1, h3 + h1, h4 + h1);
}
var rotated = (word, by) => (word << by) | (word >>> (32 - by));
var mix = (word, first, by, second) => Math.imul(rotated(Math.imul(word, first), by), second);
function avalanche(sum) {
  let h = sum | 0;
  h = Math.imul(h ^ (h >>> 16), 2246822507);
  h = Math.imul(h ^ (h >>> 13), 3266489909);
  return h ^ (h >>> 16);
}
function fingerprintOf(...parts) {
  const digests = new Uint32Array(5 * parts.length);
  parts.forEach((part, k) => {
    const [kind, bytes] = bytesOf(part);
    digests[5 * k] = kind;
    digests.set(hash128(bytes, bytes.byteLength), 5 * k + 1);
  });
  const words2 = hash128(littleEndianBytes(digests), parts.length);
  return Array.from(words2, (word) => word.toString(16).padStart(8, "0")).join("");
}
function bytesOf(part) {
  if (typeof part === "string") return [1, new TextEncoder().encode(part)];
  if (typeof part === "number") return [2, littleEndianBytes(Float64Array.of(part))];
  if (part instanceof Float64Array) return [3, littleEndianBytes(part)];
  if (part instanceof Float32Array) return [4, littleEndianBytes(part)];
  if (part instanceof Int32Array) return [5, littleEndianBytes(part)];
  if (part instanceof Uint32Array) return [6, littleEndianBytes(part)];
  if (part instanceof Uint8Array) return [7, part];
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `fingerprintOf takes strings, numbers and typed arrays; received ${shown(part)}.`,
    { received: part },
  );
}

// ../optim-core/src/codec.ts
var FORM_VERSION = 1;
var HEADER_AT = 16;
var CHECKSUM_BYTES = 16;
var MAX_DEPTH = 64;
function encode(magic, value) {
  const writer = new TreeWriter();
  const header = new TextEncoder().encode(JSON.stringify(writer.write(value, "", 0)));
  const arraysAt = aligned(HEADER_AT + header.length);
  const bytes = new Uint8Array(arraysAt + writer.arrayBytes + CHECKSUM_BYTES);
  const view2 = new DataView(bytes.buffer);
  bytes.set(magicBytes(magic));
  view2.setUint32(8, FORM_VERSION, true);
  view2.setUint32(12, header.length, true);
  bytes.set(header, HEADER_AT);
  let at = arraysAt;
  for (const array of writer.arrays) {
    bytes.set(littleEndianBytes(array), at);
    at = aligned(at + array.byteLength);
  }
  bytes.set(checksum(bytes.subarray(0, at)), at);
  return bytes;
}
function decode(magic, given) {
  if (!(given instanceof Uint8Array)) throw damaged("is not a Uint8Array", shown(given));
  const bytes = new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
  if (bytes.length < HEADER_AT + CHECKSUM_BYTES) throw damaged("is too short", `${bytes.length} bytes`);
  const view2 = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (magicBytes(magic).some((byte, k) => byte !== bytes[k]))
    throw damaged("does not begin with its mark", "");
  const version = view2.getUint32(8, true);
  if (version !== FORM_VERSION)
    throw damaged(`is of version ${version} of the form; this library reads ${FORM_VERSION}`, "");
  const headerBytes = view2.getUint32(12, true);
  const end = bytes.length - CHECKSUM_BYTES;
  const arraysAt = aligned(HEADER_AT + headerBytes);
  if (arraysAt > end) throw damaged("is cut short", `${bytes.length} bytes`);
  if (checksum(bytes.subarray(0, end)).some((byte, k) => byte !== bytes[end + k]))
    throw damaged("does not agree with its checksum: it was cut short or changed", "");
  const arrays = { bytes: bytes.subarray(arraysAt, end), at: 0 };
  const value = readTree(parsed(bytes.subarray(HEADER_AT, HEADER_AT + headerBytes)), arrays, 0);
  if (arrays.at !== arrays.bytes.length)
    throw damaged("has arrays that its header does not name", `${arrays.bytes.length - arrays.at} bytes`);
  return value;
}
var TreeWriter = class {
  arrays = [];
  arrayBytes = 0;
  write(value, path, depth) {
    if (depth > MAX_DEPTH) throw unplain(path, `nested deeper than ${MAX_DEPTH}`);
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    if (value === void 0) return ["u"];
    if (typeof value === "number")
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : ["n", Object.is(value, -0) ? "-0" : `${value}`];
    const kind = kindOf(value);
    if (kind !== void 0) return this.array(kind.tag, kind.array);
    if (Array.isArray(value)) {
      const numbers = asNumbers(value);
      if (numbers !== void 0) return this.array("l", numbers);
      return ["a", ...Array.from(value, (item, k) => this.write(item, `${path}[${k}]`, depth + 1))];
    }
    return this.object(value, path, depth);
  }
  array(tag, array) {
    const offset = this.arrayBytes;
    this.arrays.push(array);
    this.arrayBytes = aligned(offset + array.byteLength);
    return [tag, offset, array.length];
  }
  object(value, path, depth) {
    if (typeof value !== "object" || value === null) throw unplain(path, shown(value));
    const prototype = Object.getPrototypeOf(value);
    if (prototype !== null && prototype !== Object.prototype) throw unplain(path, shown(value));
    const entries = ["o"];
    for (const [key, item] of Object.entries(value)) {
      if (key === "__proto__") throw unplain(path, 'a key "__proto__"');
      entries.push(key, this.write(item, path === "" ? key : `${path}.${key}`, depth + 1));
    }
    return entries;
  }
};
function asNumbers(items) {
  if (items.length === 0) return void 0;
  const numbers = new Float64Array(items.length);
  for (let k = 0; k < items.length; k++) {
    const item = items[k];
    if (typeof item !== "number") return void 0;
    numbers[k] = item;
  }
  return numbers;
}
function kindOf(value) {
  if (value instanceof Float64Array) return { tag: "f64", array: value };
  if (value instanceof Float32Array) return { tag: "f32", array: value };
  if (value instanceof Int32Array) return { tag: "i32", array: value };
  if (value instanceof Uint32Array) return { tag: "u32", array: value };
  if (value instanceof Uint8Array) return { tag: "u8", array: value };
  return void 0;
}
function readTree(node, arrays, depth) {
  if (node === null || typeof node === "number" || typeof node === "string" || typeof node === "boolean")
    return node;
  if (!Array.isArray(node) || depth > MAX_DEPTH)
    throw damaged("has a header that it cannot have", shown(node));
  switch (node[0]) {
    case "u":
      return void 0;
    case "n":
      return special(node[1]);
    case "a":
      return node.slice(1).map((item) => readTree(item, arrays, depth + 1));
    case "o":
      return readObject(node, arrays, depth);
    case "l":
      return Array.from(fromLittleEndian(Float64Array, span(node, arrays, 8), 8));
    case "f64":
      return fromLittleEndian(Float64Array, span(node, arrays, 8), 8);
    case "f32":
      return fromLittleEndian(Float32Array, span(node, arrays, 4), 4);
    case "i32":
      return fromLittleEndian(Int32Array, span(node, arrays, 4), 4);
    case "u32":
      return fromLittleEndian(Uint32Array, span(node, arrays, 4), 4);
    case "u8":
      return span(node, arrays, 1).slice();
    default:
      throw damaged("has a header with an unknown tag", shown(node[0]));
  }
}
function readObject(node, arrays, depth) {
  const result = {};
  for (let k = 1; k < node.length; k += 2) {
    const key = node[k];
    if (typeof key !== "string" || key === "__proto__" || k + 1 === node.length)
      throw damaged("has a header with a key that it cannot have", shown(key));
    result[key] = readTree(node[k + 1], arrays, depth + 1);
  }
  return result;
}
function span([, offset, length], arrays, elementBytes) {
  const { bytes, at } = arrays;
  const isInside =
    offset === at &&
    typeof length === "number" &&
    Number.isSafeInteger(length) &&
    length >= 0 &&
    at + length * elementBytes <= bytes.length;
  if (!isInside) throw damaged("names an array that is not in it", `${shown(offset)}, ${shown(length)}`);
  const end = at + length * elementBytes;
  arrays.at = aligned(end);
  return bytes.subarray(at, end);
}
function special(text2) {
  if (text2 === "-0") return -0;
  if (text2 === "NaN") return Number.NaN;
  if (text2 === "Infinity") return Number.POSITIVE_INFINITY;
  if (text2 === "-Infinity") return Number.NEGATIVE_INFINITY;
  throw damaged("has a header with an unknown number", shown(text2));
}
function parsed(header) {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(header));
  } catch (cause) {
    throw damaged("has a header that is not JSON", "", cause);
  }
}
function checksum(bytes) {
  return littleEndianBytes(hash128(bytes));
}
function magicBytes(magic) {
  return new TextEncoder().encode(magic.padEnd(8).slice(0, 8));
}
var aligned = (offset) => Math.ceil(offset / 8) * 8;
function unplain(path, what) {
  return new CurvatureError(
    "ERR_CHECKPOINT",
    `A checkpoint holds plain data (numbers, strings, booleans, null, typed arrays, arrays and objects of these); found ${what} at ${path || "its root"}.`,
    { path, received: what },
  );
}
function damaged(what, received, cause) {
  const seen = received === "" ? "" : ` (${received})`;
  return new CurvatureError(
    "ERR_CHECKPOINT",
    `The checkpoint ${what}${seen}. Use an earlier one, or start anew.`,
    {
      received,
      cause,
    },
  );
}

// ../optim-core/src/snapshot.ts
var endings = ["converged", "max-evaluations", "stalled", "diverged", "failed"];
var SnapshotReader = class _SnapshotReader {
  fields;
  where;
  constructor(where, state) {
    this.where = where;
    if (!isPlainObject(state)) throw this.wrong("its state", "an object", state);
    this.fields = new Map(Object.entries(state));
  }
  number(key) {
    const value = this.fields.get(key);
    return typeof value === "number" ? value : this.fail(key, "a number", value);
  }
  /** A number, or undefined where the solver saved null for it. */
  optionalNumber(key) {
    return this.fields.get(key) === null ? void 0 : this.number(key);
  }
  /** A whole number of at least `least` and at most `most`. */
  integer(key, least = 0, most = Number.MAX_SAFE_INTEGER) {
    const value = this.fields.get(key);
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most)
      return value;
    return this.fail(key, `a whole number from ${least} to ${most}`, value);
  }
  flag(key) {
    const value = this.fields.get(key);
    return typeof value === "boolean" ? value : this.fail(key, "true or false", value);
  }
  text(key) {
    const value = this.fields.get(key);
    return typeof value === "string" ? value : this.fail(key, "a string", value);
  }
  /** The array itself, not a copy; `length` is checked where it is given. */
  float64(key, length) {
    const value = this.fields.get(key);
    if (value instanceof Float64Array && fits(value, length)) return value;
    return this.fail(key, arrayOf("Float64Array", length), value);
  }
  float32(key, length) {
    const value = this.fields.get(key);
    if (value instanceof Float32Array && fits(value, length)) return value;
    return this.fail(key, arrayOf("Float32Array", length), value);
  }
  int32(key, length) {
    const value = this.fields.get(key);
    if (value instanceof Int32Array && fits(value, length)) return value;
    return this.fail(key, arrayOf("Int32Array", length), value);
  }
  uint32(key, length) {
    const value = this.fields.get(key);
    if (value instanceof Uint32Array && fits(value, length)) return value;
    return this.fail(key, arrayOf("Uint32Array", length), value);
  }
  uint8(key, length) {
    const value = this.fields.get(key);
    if (value instanceof Uint8Array && fits(value, length)) return value;
    return this.fail(key, arrayOf("Uint8Array", length), value);
  }
  list(key) {
    const value = this.fields.get(key);
    return Array.isArray(value) ? value : this.fail(key, "a list", value);
  }
  /** The object under `key`, with its own getters. */
  object(key) {
    const value = this.fields.get(key);
    return isPlainObject(value)
      ? new _SnapshotReader(`${this.where}, ${key}`, value)
      : this.fail(key, "an object", value);
  }
  /** The snapshot of another solver, which that one reads; its content is not looked at here. */
  snapshot(key) {
    const value = this.fields.get(key);
    return isSnapshot(value) ? value : this.fail(key, "a snapshot", value);
  }
  /** How the solver ended, or undefined where it saved null for it. */
  outcome(key) {
    if (!this.has(key)) return void 0;
    const saved = this.object(key);
    const name = saved.text("status");
    const status = endings.find((known) => known === name);
    return {
      status: status ?? saved.fail("status", `one of ${endings.join(", ")}`, name),
      message: saved.text("message"),
    };
  }
  /** Whether `key`, which must be there, holds something else than null. */
  has(key) {
    return this.fields.has(key) ? this.fields.get(key) !== null : this.fail(key, "there", void 0);
  }
  fail(key, expected, received) {
    throw this.wrong(key, expected, received);
  }
  wrong(what, expected, received) {
    return new CurvatureError(
      "ERR_SNAPSHOT",
      `${this.where}: ${what} must be ${expected}; received ${shown(received)}. The snapshot is of another problem, or damaged.`,
      { path: what, expected, received },
    );
  }
};
function openSnapshot(snapshot, solver, version) {
  const where = `Snapshot for ${solver}`;
  if (!isPlainObject(snapshot) || typeof snapshot.solver !== "string")
    throw new CurvatureError("ERR_SNAPSHOT", `${where}: received ${shown(snapshot)}.`, {
      received: snapshot,
    });
  if (snapshot.solver !== solver)
    throw new CurvatureError(
      "ERR_SNAPSHOT",
      `${where}: it was written by the solver ${shown(snapshot.solver)}. Restore it with that one.`,
      { path: "solver", expected: solver, received: snapshot.solver },
    );
  if (snapshot.version !== version)
    throw new CurvatureError(
      "ERR_SNAPSHOT",
      `${where}: it is of version ${shown(snapshot.version)}, this library reads ${version}. Use the release that wrote it.`,
      { path: "version", expected: String(version), received: snapshot.version },
    );
  return new SnapshotReader(where, snapshot.state);
}
function isSnapshot(value) {
  return isPlainObject(value) && "solver" in value && "version" in value && "state" in value;
}
function isPlainObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}
var fits = (array, length) => length === void 0 || array.length === length;
var arrayOf = (kind, length) => (length === void 0 ? `a ${kind}` : `a ${kind} of length ${length}`);

// ../optim-core/src/status.ts
var statuses = [
  "converged",
  "target-reached",
  "max-iterations",
  "max-evaluations",
  "time-limit",
  "aborted",
  "stalled",
  "diverged",
  "failed",
];
function isStatus(value) {
  return statuses.some((status) => status === value);
}

// ../optim-core/src/checkpoint.ts
var MAGIC = "CURVRUN";
function encodeCheckpoint(checkpoint) {
  return encode(MAGIC, checkpoint);
}
function decodeCheckpoint(bytes) {
  const value = decode(MAGIC, bytes);
  if (!isCheckpoint(value))
    throw new CurvatureError(
      "ERR_CHECKPOINT",
      "The checkpoint is readable but not complete. It was not written by a run.",
      { received: shown(value) },
    );
  return value;
}
function checkOrigin({ solver, dimension, fingerprint }, target) {
  if (solver.solver !== target.name) throw foreign("solver", solver.solver, target.name);
  if (dimension !== target.dimension) throw foreign("dimension", dimension, target.dimension);
  if (fingerprint !== target.fingerprint) throw foreign("fingerprint", fingerprint, target.fingerprint);
}
function foreign(what, received, expected) {
  const advice =
    what === "fingerprint"
      ? "Resume it with the data and options that it was written with"
      : "Resume it where it was written";
  return new CurvatureError(
    "ERR_CHECKPOINT",
    `The checkpoint is of another ${what}: it has ${shown(received)}, this run has ${shown(expected)}. ${advice}, or start anew.`,
    { path: what, expected: String(expected), received },
  );
}
function isCheckpoint(value) {
  return (
    isPlainObject(value) &&
    "solver" in value &&
    isSnapshot2(value.solver) &&
    "dimension" in value &&
    typeof value.dimension === "number" &&
    "fingerprint" in value &&
    typeof value.fingerprint === "string" &&
    "run" in value &&
    isProgress(value.run)
  );
}
function isSnapshot2(value) {
  return (
    isPlainObject(value) &&
    "solver" in value &&
    typeof value.solver === "string" &&
    "version" in value &&
    typeof value.version === "number" &&
    "state" in value &&
    isSnapshotValue(value.state)
  );
}
function isProgress(value) {
  return (
    isPlainObject(value) &&
    "elapsedSeconds" in value &&
    typeof value.elapsedSeconds === "number" &&
    value.elapsedSeconds >= 0 &&
    "gradientNorm" in value &&
    isNumberOrUndefined(value.gradientNorm) &&
    "latest" in value &&
    (value.latest === void 0 || isIteration(value.latest)) &&
    "history" in value &&
    Array.isArray(value.history) &&
    value.history.every(isIteration) &&
    "tests" in value &&
    isPlainObject(value.tests) &&
    Object.values(value.tests).every(isSnapshotValue) &&
    "ending" in value &&
    (value.ending === void 0 || isEnding(value.ending))
  );
}
function isEnding(value) {
  return (
    isPlainObject(value) &&
    "status" in value &&
    isStatus(value.status) &&
    "message" in value &&
    typeof value.message === "string" &&
    "by" in value &&
    (value.by === "solver" || value.by === "rule" || value.by === "user" || value.by === "failure") &&
    "rule" in value &&
    typeof value.rule === "string"
  );
}
var counters = ["index", "evaluations", "gradientEvaluations", "monitoringEvaluations", "passes"];
var measures = ["value", "gradientNorm", "stepLength"];
function isIteration(value) {
  if (!isPlainObject(value)) return false;
  const fields = new Map(Object.entries(value));
  return (
    counters.every((name) => typeof fields.get(name) === "number") &&
    measures.every((name) => isNumberOrUndefined(fields.get(name))) &&
    typeof fields.get("phase") === "string" &&
    fields.has("details") &&
    isOutcome(fields.get("outcome"))
  );
}
function isOutcome(value) {
  if (value === void 0) return true;
  return (
    isPlainObject(value) &&
    "status" in value &&
    isStatus(value.status) &&
    "message" in value &&
    typeof value.message === "string"
  );
}
function isSnapshotValue(value) {
  if (value === void 0) return false;
  if (Array.isArray(value)) return value.every(isSnapshotValue);
  return !isPlainObject(value) || Object.values(value).every(isSnapshotValue);
}
var isNumberOrUndefined = (value) => value === void 0 || typeof value === "number";

// ../optim-core/src/event-loop.ts
function nextTask() {
  return new Promise((resolve) => {
    if (typeof setImmediate === "function") {
      setImmediate(resolve);
    } else if (typeof MessageChannel === "function") {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(null);
    } else {
      setTimeout(resolve, 0);
    }
  });
}
function isPromise(value) {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

// ../optim-core/src/sum.ts
function checkSum(where, sum) {
  const isSum =
    typeof sum === "object" &&
    sum !== null &&
    "dimension" in sum &&
    isCount(sum.dimension) &&
    "count" in sum &&
    isCount(sum.count) &&
    "evaluate" in sum &&
    typeof sum.evaluate === "function";
  if (!isSum)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `${where}: the sum must have a dimension and a count of at least 1 and a function evaluate(index, x, gradient); received ${shown(sum)}.`,
      { path: "sum", received: sum },
    );
}
var isCount = (value) => Number.isSafeInteger(value) && Number(value) >= 1;

// ../optim-core/src/drive-sum.ts
var driveDefaults = Object.freeze({ concurrency: 1 });
function driveSum(solver, sum, options) {
  checkSum("driveSum", sum);
  const { concurrency } = checkOptions("driveSum", options, driveDefaults, { concurrency: integerFrom(1) });
  if (solver.dimension !== sum.dimension)
    throw badOption("driveSum", "the solver's dimension", `${sum.dimension}, the sum's`, solver.dimension);
  return new Driver(solver, sum, concurrency);
}
var Driver = class {
  name;
  dimension;
  fingerprint;
  solver;
  sum;
  concurrency;
  /** Asked, not yet under way. */
  queue = [];
  /** Answered, not yet told. */
  arrivals = [];
  underWay = 0;
  spare = [];
  wake = () => void 0;
  /** Answers to questions asked before a restore are of no use: they carry an older epoch. */
  epoch = 0;
  /** The step under way, if it is a promise. */
  stepping;
  constructor(solver, sum, concurrency) {
    this.solver = solver;
    this.sum = sum;
    this.concurrency = concurrency;
    this.name = solver.name;
    this.dimension = solver.dimension;
    this.fingerprint = solver.fingerprint;
  }
  get options() {
    return { ...this.solver.options, concurrency: this.concurrency };
  }
  get best() {
    return this.solver.best;
  }
  get last() {
    return this.solver.last;
  }
  step() {
    if (this.stepping !== void 0)
      throw this.misused(
        "A step is under way. Await its promise first; one solver serves one run at a time.",
      );
    return this.advance() ?? this.settle();
  }
  /** Tells what has arrived and starts what can be started, until an iteration is complete or all are under way. */
  advance() {
    for (;;) {
      const arrival = this.arrivals.shift();
      if (arrival !== void 0) {
        const iteration = this.tell(arrival);
        if (iteration !== void 0) return iteration;
      } else if (this.underWay >= this.concurrency || !this.startNext()) {
        return void 0;
      }
    }
  }
  settle() {
    if (this.underWay === 0) throw this.silence();
    const { epoch } = this;
    this.stepping = this.nextIteration(epoch).finally(() => {
      if (epoch === this.epoch) this.stepping = void 0;
    });
    return this.stepping;
  }
  async nextIteration(epoch) {
    for (;;) {
      if (this.arrivals.length === 0)
        await new Promise((resolve) => {
          this.wake = resolve;
        });
      if (epoch !== this.epoch) throw this.misused("It was restored while this step was under way.");
      const iteration = this.advance();
      if (iteration !== void 0) return iteration;
      if (this.underWay === 0) throw this.silence();
    }
  }
  /** @returns false if the solver has no question now */
  startNext() {
    if (this.queue.length === 0) this.queue.push(...this.solver.ask(this.concurrency - this.underWay));
    const question = this.queue.shift();
    if (question === void 0) return false;
    const gradient = this.spare.pop() ?? new Float64Array(this.dimension);
    let value;
    try {
      value = this.sum.evaluate(question.index, question.point, gradient);
    } catch (error) {
      this.arrivals.push({ question, gradient, answer: { error } });
      return true;
    }
    if (isPromise(value)) this.await(question, gradient, value);
    else this.arrivals.push({ question, gradient, answer: { value } });
    return true;
  }
  await(question, gradient, promise) {
    const { epoch } = this;
    const arrive = (answer) => {
      if (epoch !== this.epoch) return;
      this.underWay--;
      this.arrivals.push({ question, gradient, answer });
      this.wake();
    };
    this.underWay++;
    promise.then(
      (value) => arrive({ value }),
      (error) => arrive({ error }),
    );
  }
  tell({ question, gradient, answer }) {
    this.spare.push(gradient);
    if ("error" in answer) {
      this.queue.unshift(question);
      throw answer.error;
    }
    const value = answer.value;
    if (typeof value === "number") return this.solver.tell(question.ticket, value, gradient);
    this.queue.unshift(question);
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `The sum's evaluate must return a number or a promise of one; received ${shown(value)} for subfunction ${question.index}.`,
      { path: "evaluate", expected: "a number", received: value },
    );
  }
  silence() {
    return this.misused("It asks for no evaluation and waits for none, so it cannot go on.");
  }
  misused(what) {
    return new CurvatureError("ERR_ARGUMENT", `The solver ${this.name}: ${what}`, { path: "solver" });
  }
  /** Evaluations under way are no part of it: after a restore they are asked anew. */
  save() {
    return this.solver.save();
  }
  restore(snapshot) {
    this.solver.restore(snapshot);
    this.epoch++;
    this.queue = [];
    this.arrivals = [];
    this.underWay = 0;
    this.stepping?.catch(() => void 0);
    this.stepping = void 0;
    this.wake();
  }
};

// ../optim-core/src/line-search/armijo.ts
var backtrackingDefaults = Object.freeze({
  sufficientDecrease: 1e-4,
  shrink: 0.5,
});
var MAX_REDUCTIONS = 60;
var LEAST_STEP = 1e-20;
function backtrack(line, first, options = backtrackingDefaults) {
  const { sufficientDecrease: c1, shrink: rho } = options;
  let alpha = first;
  for (let reductions = 0; reductions <= MAX_REDUCTIONS && alpha >= LEAST_STEP * first; reductions++) {
    const isUsable3 = line.evaluate(alpha);
    const enough = line.value + c1 * alpha * line.slope;
    if (isUsable3 && line.trialValue <= enough && line.trialValue < line.value) return true;
    alpha *= rho;
  }
  return false;
}

// ../optim-core/src/line-search/search-line.ts
var SearchLine = class {
  objective;
  x;
  gradient;
  value = Number.NaN;
  p;
  slope = Number.NaN;
  alpha = 0;
  trialX;
  trialGradient;
  trialValue = Number.NaN;
  trialSlope = Number.NaN;
  /** All evaluations since the start. */
  evaluations = 0;
  /** @param x - the first point; copied */
  constructor(objective, x) {
    this.objective = objective;
    this.x = x.slice();
    this.gradient = new Float64Array(x.length);
    this.p = new Float64Array(x.length);
    this.trialX = new Float64Array(x.length);
    this.trialGradient = new Float64Array(x.length);
  }
  /** f and ∇f at x. */
  evaluateStart() {
    this.value = evaluated(this.objective, this.x, this.gradient);
    this.evaluations++;
  }
  /** φ′(0) = ∇f(x)ᵀp, once p is set. */
  aim() {
    this.slope = dot(this.gradient, this.p);
    return this.slope;
  }
  /** A trial at α. False if its value or a gradient entry is not finite: such a trial must not be accepted. */
  evaluate(alpha) {
    const { x, p, trialX } = this;
    for (let i = 0; i < x.length; i++) trialX[i] = x[i] + alpha * p[i];
    this.alpha = alpha;
    this.trialValue = evaluated(this.objective, trialX, this.trialGradient);
    this.evaluations++;
    this.trialSlope = dot(this.trialGradient, p);
    return Number.isFinite(this.trialValue) && Number.isFinite(this.trialSlope);
  }
  /** The trial becomes the point; the old point's arrays serve the next trials. */
  accept() {
    [this.x, this.trialX] = [this.trialX, this.x];
    [this.gradient, this.trialGradient] = [this.trialGradient, this.gradient];
    this.value = this.trialValue;
  }
};
function evaluated(objective, x, gradient) {
  const value = objective.evaluate(x, gradient);
  if (typeof value === "number") return value;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `The objective's evaluate must return a number; received ${shown(value)}. An objective that computes asynchronously is a SumOfFunctions.`,
    { path: "evaluate", expected: "a number", received: value },
  );
}

// ../optim-core/src/line-search/strong-wolfe.ts
var wolfeDefaults = Object.freeze({
  sufficientDecrease: 1e-4,
  curvature: 0.9,
  condition: "strong",
  maxTrials: 40,
});
var MARGIN = 0.1;
var ROUNDING = 4 * Number.EPSILON;
function searchWolfe(line, first, options = wolfeDefaults) {
  const { sufficientDecrease: c1, curvature: c2, condition, maxTrials } = options;
  const value0 = line.value;
  const slope0 = line.slope;
  let lo = 0;
  let valueLo = value0;
  let slopeLo = slope0;
  let hi = Number.POSITIVE_INFINITY;
  let valueHi = Number.NaN;
  let slopeHi = Number.NaN;
  let alpha = first;
  let widthBefore = Number.POSITIVE_INFINITY;
  for (let trial = 0; trial < maxTrials; trial++) {
    const isUsable3 = line.evaluate(alpha);
    const { trialValue: value, trialSlope: slope } = line;
    const isWorse = value > valueLo + ROUNDING * Math.abs(valueLo);
    if (!isUsable3 || value > value0 + c1 * alpha * slope0 || !(value < value0) || isWorse) {
      hi = alpha;
      valueHi = isUsable3 ? value : Number.NaN;
      slopeHi = slope;
    } else {
      const isFlat = condition === "strong" ? Math.abs(slope) <= -c2 * slope0 : slope >= c2 * slope0;
      if (isFlat) return true;
      if (slope * (hi - lo) >= 0) {
        hi = lo;
        valueHi = valueLo;
        slopeHi = slopeLo;
      }
      const reached = lo;
      const valueReached = valueLo;
      const slopeReached = slopeLo;
      lo = alpha;
      valueLo = value;
      slopeLo = slope;
      if (hi === Number.POSITIVE_INFINITY) {
        const guess2 = cubicMinimum(reached, valueReached, slopeReached, lo, value, slope);
        alpha = guess2 >= 2 * lo ? Math.min(guess2, 10 * lo) : 2 * lo;
        continue;
      }
    }
    const width = Math.abs(hi - lo);
    if (!(width > 1e-16 * Math.max(lo, hi))) break;
    const guess = cubicMinimum(lo, valueLo, slopeLo, hi, valueHi, slopeHi);
    const inside = Math.min(
      Math.max(guess, Math.min(lo, hi) + MARGIN * width),
      Math.max(lo, hi) - MARGIN * width,
    );
    alpha = width <= 0.66 * widthBefore && !Number.isNaN(guess) ? inside : 0.5 * (lo + hi);
    widthBefore = width;
  }
  return lo > 0 && line.evaluate(lo);
}
function cubicMinimum(a, fa, ga, b, fb, gb) {
  const d1 = ga + gb - (3 * (fa - fb)) / (a - b);
  const d2 = (b > a ? 1 : -1) * Math.sqrt(d1 * d1 - ga * gb);
  return b - (b - a) * ((gb + d2 - d1) / (gb - ga + 2 * d2));
}

// ../optim-core/src/history.ts
var History = class {
  items = [];
  capacity;
  oldest = 0;
  constructor(capacity) {
    this.capacity = capacity;
  }
  add(item) {
    if (this.items.length < this.capacity) {
      this.items.push(item);
    } else if (this.capacity > 0) {
      this.items[this.oldest] = item;
      this.oldest = (this.oldest + 1) % this.capacity;
    }
  }
  /** In the order in which they came. */
  list() {
    return [...this.items.slice(this.oldest), ...this.items.slice(0, this.oldest)];
  }
};

// ../optim-core/src/stopping.ts
function rule2(description, check) {
  return { description, start: () => ({ check }) };
}
function maxIterations(limit) {
  checkLimit("maxIterations", limit);
  return rule2(`iterations >= ${limit}`, ({ index }) =>
    index >= limit ? stop("max-iterations", `${index} iterations are made, ${limit} were allowed.`) : void 0,
  );
}
function maxPasses(limit) {
  checkLimit("maxPasses", limit);
  return rule2(`passes >= ${limit}`, ({ passes }) =>
    passes >= limit
      ? stop("max-iterations", `${shortly(passes)} passes are made, ${limit} were allowed.`)
      : void 0,
  );
}
function timeLimit(seconds) {
  checkLimit("timeLimit", seconds);
  return rule2(`elapsed seconds >= ${seconds}`, (_, { elapsedSeconds }) =>
    elapsedSeconds >= seconds
      ? stop("time-limit", `${shortly(elapsedSeconds)} s have passed, ${seconds} s were allowed.`)
      : void 0,
  );
}
function anyOf(...rules2) {
  const any = composed("or", rules2, (stops) => (stops.length > 0 ? leading2(stops) : void 0));
  return { ...any, alternatives: rules2.flatMap(alternativesOf) };
}
function composed(word, rules2, decide) {
  const where = word === "or" ? "anyOf" : "allOf";
  for (const [k, given] of rules2.entries()) checkRule(given, `${where}: rule ${k}`);
  return {
    description:
      rules2.length === 0 ? "never" : rules2.map((r) => bracketed(r.description, rules2)).join(` ${word} `),
    start(context) {
      const tests = rules2.map((r) => r.start(context));
      const fired = [];
      return {
        check(iteration, now) {
          fired.length = 0;
          for (let k = 0; k < tests.length; k++) {
            const stopped = tests[k].check(iteration, now);
            if (stopped !== void 0) fired.push({ rule: rules2[k].description, ...stopped });
          }
          return decide(fired);
        },
        save: (states) => {
          for (const test of tests) test.save?.(states);
        },
        restore: (states) => {
          for (const test of tests) test.restore?.(states);
        },
      };
    },
  };
}
var alternativesOf = ({ description, alternatives = [description] }) => alternatives;
function checkRule(given, where) {
  const isRule =
    typeof given === "object" &&
    given !== null &&
    "description" in given &&
    typeof given.description === "string" &&
    "start" in given &&
    typeof given.start === "function";
  if (!isRule) throw badOption(where, "stop", "a stopping rule such as maxIterations(100)", given);
}
var bracketed = (description, siblings) =>
  siblings.length > 1 && / (or|and) /.test(description) ? `(${description})` : description;
var precedence = ["time-limit", "max-evaluations", "max-iterations"];
var rank = ({ status }) => {
  if (status === "target-reached") return 5;
  if (status === "converged") return 4;
  const limit = precedence.indexOf(status);
  return limit < 0 ? 3 : limit;
};
function leading2(stops) {
  return stops.reduce((first, other) => (rank(other) > rank(first) ? other : first));
}
var stop = (status, message) => ({ status, message });
var shortly = (value) => String(Number(value.toPrecision(6)));
function checkLimit(where, limit) {
  if (typeof limit !== "number" || !(limit >= 0))
    throw badOption(where, "limit", "a number of at least 0, or Infinity", limit);
}

// ../optim-core/src/run-options.ts
var runDefaults = Object.freeze({ maxIterations: 1e4, yieldEvery: 16, history: false });
var fromZero = (unit) => ({
  expected: `${unit} of at least 0, or Infinity`,
  accepts: (value) => typeof value === "number" && value >= 0,
});
var runRules = {
  stop: anything,
  onIteration: optional(callback),
  signal: optional({ expected: "an AbortSignal", accepts: isSignal }),
  yieldEvery: fromZero("a number of milliseconds"),
  checkpoint: anything,
  resume: optional({
    expected: "a checkpoint (Uint8Array)",
    accepts: (value) => value instanceof Uint8Array,
  }),
  history: either(flag, integerFrom(0)),
};
var checkpointRules = {
  write: callback,
  everySeconds: fromZero("a number of seconds"),
  everyIterations: fromZero("a number of iterations"),
};
function checkRunOptions(where, options) {
  const given = checkOptions(where, options, noOptions, runRules);
  return {
    ...given,
    stop: asRule(where, given.stop),
    checkpoint: checkpointSettings(where, given.checkpoint),
  };
}
var noOptions = Object.freeze({
  stop: void 0,
  onIteration: void 0,
  signal: void 0,
  yieldEvery: runDefaults.yieldEvery,
  checkpoint: void 0,
  resume: void 0,
  history: runDefaults.history,
});
function asRule(where, stop3) {
  if (stop3 === void 0 || (isList(stop3) && stop3.length === 0))
    return maxIterations(runDefaults.maxIterations);
  if (isList(stop3)) return anyOf(...stop3);
  checkRule(stop3, where);
  return stop3;
}
var isList = (stop3) => Array.isArray(stop3);
function checkpointSettings(where, given) {
  if (given === void 0) return void 0;
  if (typeof given !== "object" || given === null)
    throw badOption(where, "checkpoint", "an object { write, \u2026 } (or left out)", given);
  const write2 = checkpointRules.write.accepts(given.write) ? given.write : void 0;
  if (write2 === void 0) throw badOption(`${where}, checkpoint`, "write", callback.expected, given.write);
  const everyIterations = given.everyIterations ?? Number.POSITIVE_INFINITY;
  const everySeconds =
    given.everySeconds ?? (given.everyIterations === void 0 ? 30 : Number.POSITIVE_INFINITY);
  return checkOptions(
    `${where}, checkpoint`,
    given,
    { write: write2, everySeconds, everyIterations },
    checkpointRules,
  );
}
function isSignal(value) {
  return (
    typeof value === "object" && value !== null && "aborted" in value && typeof value.aborted === "boolean"
  );
}

// ../optim-core/src/run-state.ts
var RunState = class {
  settings;
  ending;
  elapsedSeconds = 0;
  solver;
  test;
  history;
  latest;
  gradientNorm;
  cause;
  secondsBefore = 0;
  startedAt = performance.now();
  turnAt = this.startedAt;
  writtenAt = this.startedAt;
  iterationsSinceWritten = 0;
  /** @throws CurvatureError ERR_OPTION, ERR_CHECKPOINT or ERR_SNAPSHOT; the solver is then as it was */
  constructor(where, solver, options) {
    checkSolver(where, solver);
    this.settings = checkRunOptions(where, options);
    this.solver = solver;
    const { history, resume, stop: stop3, signal } = this.settings;
    this.history = new History(history === true ? Number.POSITIVE_INFINITY : Number(history));
    const checkpoint = resume === void 0 ? void 0 : decodeCheckpoint(resume);
    if (checkpoint !== void 0) {
      checkOrigin(checkpoint, solver);
      solver.restore(checkpoint.solver);
    }
    this.test = stop3.start(this);
    if (checkpoint !== void 0) this.resume(checkpoint);
    if (this.ending === void 0 && signal?.aborted === true) this.abort(signal);
  }
  get best() {
    return this.solver.best;
  }
  get last() {
    return this.solver.last;
  }
  resume({ run: run3 }) {
    this.secondsBefore = run3.elapsedSeconds;
    this.elapsedSeconds = run3.elapsedSeconds;
    this.gradientNorm = run3.gradientNorm;
    if (isIteration(run3.latest)) this.latest = run3.latest;
    for (const iteration of run3.history) if (isIteration(iteration)) this.history.add(iteration);
    this.test.restore?.(new Map(Object.entries(run3.tests)));
    const { ending } = run3;
    const rules2 = alternativesOf(this.settings.stop);
    const isOfSolver = ending?.by === "solver" && ending.status !== "max-evaluations";
    if (isOfSolver || (ending?.by === "rule" && rules2.includes(ending.rule))) this.ending = ending;
  }
  /** Takes an iteration into the books and lets the solver's outcome and the rules judge it, in that order. */
  record(iteration) {
    this.tick();
    const { outcome } = iteration;
    if (outcome !== void 0 && iteration.index === this.latest?.index) {
      this.end(outcome.status, outcome.message, "solver");
      return;
    }
    this.latest = iteration;
    this.gradientNorm = iteration.gradientNorm ?? this.gradientNorm;
    this.iterationsSinceWritten++;
    this.history.add(iteration);
    const stop3 = this.test.check(iteration, this);
    if (outcome !== void 0) this.end(outcome.status, outcome.message, "solver");
    else if (stop3 !== void 0)
      this.end(stop3.status, stop3.message, "rule", stop3.rule ?? this.settings.stop.description);
  }
  /** Heeds the listener's answer and the signal, unless the run has ended already. */
  heed(answer) {
    const { signal } = this.settings;
    if (this.ending !== void 0) return;
    if (answer === false) this.end("aborted", "The listener asked to stop.", "user");
    else if (signal?.aborted === true) this.abort(signal);
  }
  /** An evaluation threw or rejected. */
  fail(cause) {
    this.tick();
    this.cause = cause;
    const reason = cause instanceof Error ? cause.message : shown(cause);
    this.end("failed", `Iteration ${(this.latest?.index ?? 0) + 1} failed: ${reason}`, "failure");
  }
  /** Whether the event loop has waited long enough; then its turn counts from now. */
  isTurnDue() {
    const now = performance.now();
    if (now - this.turnAt < this.settings.yieldEvery) return false;
    this.turnAt = now;
    return true;
  }
  /** Whether a checkpoint is due; `isLast` asks for the one at the end. */
  isCheckpointDue(isLast) {
    const { checkpoint } = this.settings;
    if (checkpoint === void 0) return false;
    if (isLast) return this.iterationsSinceWritten > 0 || this.ending !== void 0;
    return (
      this.ending === void 0 &&
      (this.iterationsSinceWritten >= checkpoint.everyIterations ||
        performance.now() - this.writtenAt >= 1e3 * checkpoint.everySeconds)
    );
  }
  checkpoint() {
    this.tick();
    const states = /* @__PURE__ */ new Map();
    this.test.save?.(states);
    const bytes = encodeCheckpoint({
      solver: this.solver.save(),
      dimension: this.solver.dimension,
      fingerprint: this.solver.fingerprint,
      run: {
        elapsedSeconds: this.elapsedSeconds,
        gradientNorm: this.gradientNorm,
        latest: this.latest,
        history: this.history.list(),
        tests: Object.fromEntries(states),
        ending: this.ending,
      },
    });
    this.writtenAt = performance.now();
    this.iterationsSinceWritten = 0;
    return bytes;
  }
  result() {
    const { best, last, latest, ending, settings } = this;
    const { status, message } = ending ?? { status: "aborted", message: "The run was left." };
    return {
      x: best.x.slice(),
      last: last.x.slice(),
      value: best.value,
      gradientNorm: this.gradientNorm,
      iterations: latest?.index ?? 0,
      evaluations: latest?.evaluations ?? 0,
      gradientEvaluations: latest?.gradientEvaluations ?? 0,
      monitoringEvaluations: latest?.monitoringEvaluations ?? 0,
      passes: latest?.passes ?? 0,
      elapsedSeconds: this.elapsedSeconds,
      status,
      usable: isUsable(best, status),
      message,
      cause: this.cause,
      history: this.history.list(),
      options: {
        ...withoutFunctions(this.solver.options ?? {}),
        solver: this.solver.name,
        stop: settings.stop.description,
        yieldEvery: settings.yieldEvery,
        history: settings.history,
      },
    };
  }
  tick() {
    this.elapsedSeconds = this.secondsBefore + (performance.now() - this.startedAt) / 1e3;
  }
  abort(signal) {
    const { reason } = signal;
    const why = reason instanceof Error ? `: ${reason.message}` : "";
    this.end("aborted", `The signal was aborted${why}.`, "user");
  }
  end(status, message, by, rule4 = "") {
    this.ending = { status, message, by, rule: rule4 };
  }
};
function withoutFunctions(options) {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => typeof value !== "function"));
}
function isUsable({ x, value }, status) {
  if (!x.every(Number.isFinite)) return false;
  return value === void 0 ? status !== "failed" && status !== "diverged" : Number.isFinite(value);
}
function checkSolver(where, solver) {
  const isSolver =
    typeof solver === "object" &&
    solver !== null &&
    "step" in solver &&
    typeof solver.step === "function" &&
    "save" in solver &&
    typeof solver.save === "function" &&
    "restore" in solver &&
    typeof solver.restore === "function" &&
    "best" in solver &&
    "last" in solver;
  if (!isSolver)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `${where}: the first argument must be a solver (an object with step, best, last, save and restore).`,
      { path: "solver", received: solver },
    );
}

// ../optim-core/src/run.ts
async function run(solver, options) {
  const iterations = advance(solver, new RunState("run", solver, options));
  for (;;) {
    const next = await iterations.next();
    if (next.done === true) return next.value;
  }
}
async function* advance(solver, state) {
  const { onIteration, checkpoint } = state.settings;
  let isWriting = false;
  try {
    while (state.ending === void 0) {
      let iteration;
      try {
        const stepped = solver.step();
        iteration = isPromise(stepped) ? await stepped : stepped;
      } catch (error) {
        state.fail(error);
        break;
      }
      state.record(iteration);
      const answer = onIteration?.(iteration, state);
      state.heed(isPromise(answer) ? await answer : answer);
      yield iteration;
      if (state.isCheckpointDue(false)) {
        isWriting = true;
        await checkpoint?.write(state.checkpoint());
        isWriting = false;
      }
      if (state.isTurnDue()) await nextTask();
      state.heed(void 0);
    }
  } finally {
    if (!isWriting && state.isCheckpointDue(true)) await checkpoint?.write(state.checkpoint());
  }
  return state.result();
}
function runSync(solver, options) {
  const state = new RunState("runSync", solver, options);
  const { onIteration, checkpoint } = state.settings;
  let isWriting = false;
  try {
    while (state.ending === void 0) {
      let stepped;
      try {
        stepped = solver.step();
      } catch (error) {
        state.fail(error);
        break;
      }
      const iteration = settled(stepped, "an evaluation");
      state.record(iteration);
      state.heed(settled(onIteration?.(iteration, state), "onIteration"));
      if (state.isCheckpointDue(false)) {
        isWriting = true;
        settled(checkpoint?.write(state.checkpoint()), "checkpoint.write");
        isWriting = false;
      }
    }
  } finally {
    if (!isWriting && state.isCheckpointDue(true))
      settled(checkpoint?.write(state.checkpoint()), "checkpoint.write");
  }
  return state.result();
}
function settled(value, what) {
  if (!isPromise(value)) return value;
  value.then(void 0, () => void 0);
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `runSync: ${what} returned a promise. Use run, which waits for it.`,
    {
      path: what,
      expected: "a value",
      received: value,
    },
  );
}

// ../optim-core/src/solvers/descent.ts
var ROUNDING2 = 100 * Number.EPSILON;
var VERSION = 1;
var DescentSolver = class {
  dimension;
  fingerprint;
  line;
  index = 0;
  gradientNorm = Number.NaN;
  outcome;
  bestPoint;
  constructor(where, objective, x) {
    checkStart(where, objective, x);
    this.dimension = objective.dimension;
    this.fingerprint = objective.fingerprint ?? fingerprintOf("objective", objective.dimension);
    this.line = new SearchLine(objective, x);
    this.bestPoint = { x: this.line.x, value: void 0 };
  }
  /** Monotone descent: the current point is the best one. */
  get best() {
    const point = this.bestPoint;
    point.x = this.line.x;
    point.value = Number.isFinite(this.line.value) ? this.line.value : void 0;
    return point;
  }
  get last() {
    return this.best;
  }
  step() {
    const { line } = this;
    if (this.outcome !== void 0) return this.iteration(0, false, void 0);
    if (this.index === 0 && !this.start()) return this.finish(0, false, void 0);
    const evaluationsBefore = line.evaluations;
    let isGradient = this.aim();
    if (!(line.aim() < 0) && !isGradient) isGradient = this.turnToGradient();
    let isAccepted = this.search(this.firstTrial(isGradient));
    const ending = isAccepted ? void 0 : this.ending(this.firstTrial(isGradient));
    if (!isAccepted && !isGradient) {
      isGradient = this.turnToGradient();
      isAccepted = this.search(this.firstTrial(isGradient));
    }
    if (!isAccepted && this.index === 0) isAccepted = this.searchFromLengthOne(this.firstTrial(isGradient));
    const trials = line.evaluations - evaluationsBefore;
    if (!isAccepted) {
      this.outcome = ending;
      return this.finish(trials, isGradient, void 0);
    }
    this.learn();
    line.accept();
    this.measureGradient();
    return this.finish(trials, isGradient, line.alpha);
  }
  /** f and ∇f at the first point. @returns false if the solver ends there */
  start() {
    const { line } = this;
    line.evaluateStart();
    this.measureGradient();
    if (!Number.isFinite(line.value) || !Number.isFinite(this.gradientNorm))
      this.outcome = {
        status: "diverged",
        message: `At the first point the value is ${line.value} and the gradient norm ${this.gradientNorm}. Start where both are finite.`,
      };
    return this.outcome === void 0;
  }
  turnToGradient() {
    const { line } = this;
    this.forget();
    for (let i = 0; i < line.p.length; i++) line.p[i] = -line.gradient[i];
    line.aim();
    return true;
  }
  /** While nothing is known of the scale, a first trial may be lost in rounding only because f is tiny. */
  searchFromLengthOne(tried) {
    const alpha = 1 / norm1(this.line.gradient);
    return alpha > tried && Number.isFinite(alpha) && this.search(alpha);
  }
  measureGradient() {
    this.gradientNorm = norm2(this.line.gradient);
    if (this.gradientNorm === 0) this.outcome = { status: "converged", message: "The gradient is zero." };
  }
  /** What it means that no trial from `first` downwards was accepted. */
  ending(first) {
    const { value, slope, p, x } = this.line;
    const decrease = Math.abs(first * slope);
    if (decrease <= ROUNDING2 * Math.abs(value))
      return {
        status: "converged",
        message: `The decrease still expected, ${decrease.toPrecision(3)}, is below the rounding of the value ${value}.`,
      };
    const step = first * norm1(p);
    if (step <= ROUNDING2 * norm1(x))
      return {
        status: "converged",
        message: `The step still expected, of length ${step.toPrecision(3)}, is below the rounding of the point.`,
      };
    return {
      status: "stalled",
      message: `The line search found no lower value (slope ${slope.toPrecision(3)}, value ${value}), although a decrease was to be expected. Either the objective's rounding is reached, or its gradient is wrong: see checkGradient.`,
    };
  }
  /** Counts the iteration; an evaluation that throws comes before it. */
  finish(trials, restarted, stepLength) {
    this.index++;
    return this.iteration(trials, restarted, stepLength);
  }
  iteration(trials, restarted, stepLength) {
    const { line } = this;
    return {
      index: this.index,
      value: line.value,
      gradientNorm: this.gradientNorm,
      stepLength,
      evaluations: line.evaluations,
      gradientEvaluations: line.evaluations,
      monitoringEvaluations: 0,
      passes: line.evaluations,
      phase: "iteration",
      details: { slope: line.slope, trials, restarted },
      outcome: this.outcome,
    };
  }
  save() {
    const { line } = this;
    return {
      solver: this.name,
      version: VERSION,
      state: {
        x: line.x.slice(),
        gradient: line.gradient.slice(),
        value: line.value,
        slope: line.slope,
        evaluations: line.evaluations,
        index: this.index,
        gradientNorm: this.gradientNorm,
        outcome: this.outcome === void 0 ? null : { ...this.outcome },
        method: this.saveMethod(),
      },
    };
  }
  restore(snapshot) {
    const { line, dimension } = this;
    const state = openSnapshot(snapshot, this.name, VERSION);
    const x = state.float64("x", dimension);
    const gradient = state.float64("gradient", dimension);
    const value = state.number("value");
    const slope = state.number("slope");
    const evaluations = state.integer("evaluations");
    const index = state.integer("index");
    const gradientNorm = state.number("gradientNorm");
    const outcome = state.outcome("outcome");
    this.restoreMethod(state.object("method"));
    line.x.set(x);
    line.gradient.set(gradient);
    line.value = value;
    line.slope = slope;
    line.evaluations = evaluations;
    this.index = index;
    this.gradientNorm = gradientNorm;
    this.outcome = outcome;
  }
};
function norm1(v) {
  let sum = 0;
  for (let i = 0; i < v.length; i++) sum += Math.abs(v[i]);
  return sum;
}

// ../optim-core/src/solvers/lbfgs-memory.ts
var LEAST_COSINE = 1e-12;
var LbfgsMemory = class {
  dimension;
  capacity;
  inverse;
  S;
  Y;
  rho;
  a;
  rhoWithin;
  work;
  gamma = 1;
  /** The slot that the next pair goes to. One slot more than pairs, so that a refused pair overwrites none. */
  free = 0;
  count = 0;
  constructor(dimension, capacity, inverse2) {
    this.dimension = dimension;
    this.capacity = capacity;
    this.inverse = inverse2;
    this.S = Array.from({ length: capacity + 1 }, () => new Float64Array(dimension));
    this.Y = Array.from({ length: capacity + 1 }, () => new Float64Array(dimension));
    this.rho = new Float64Array(capacity + 1);
    this.a = new Float64Array(capacity + 1);
    this.rhoWithin = new Float64Array(capacity + 1);
    this.work = new Float64Array(dimension);
  }
  /** How many pairs it holds. */
  get size() {
    return this.count;
  }
  /** Forgets all pairs. */
  clear() {
    this.count = 0;
    this.free = 0;
    this.gamma = 1;
  }
  /** Takes the pair of a step from x₋ to x. @returns false if the curvature along it is not safely positive */
  update(x, xBefore, gradient, gradientBefore) {
    const { capacity, dimension: n, free } = this;
    if (capacity === 0) return false;
    const s = this.S[free];
    const y = this.Y[free];
    let sy = 0;
    let ss = 0;
    let yy = 0;
    for (let i = 0; i < n; i++) {
      const si = x[i] - xBefore[i];
      const yi = gradient[i] - gradientBefore[i];
      s[i] = si;
      y[i] = yi;
      sy += si * yi;
      ss += si * si;
      yy += yi * yi;
    }
    if (!(sy > LEAST_COSINE * Math.sqrt(ss) * Math.sqrt(yy))) return false;
    this.rho[free] = 1 / sy;
    this.free = (free + 1) % (capacity + 1);
    this.count = Math.min(this.count + 1, capacity);
    this.gamma = this.scaling(sy, yy, y);
    return true;
  }
  /** γ, eq. (7.20) */
  scaling(sy, yy, y) {
    if (this.inverse === void 0) return sy / yy;
    this.inverse(y, this.work);
    const yBy = dot(y, this.work);
    return yBy > 0 && Number.isFinite(sy / yBy) ? sy / yBy : 1;
  }
  /** H v into `out`, which may be `v`. */
  apply(v, out) {
    const { S, Y, rho, a, capacity, count, gamma } = this;
    const slots = capacity + 1;
    const q = this.work;
    q.set(v);
    for (let k = 1; k <= count; k++) {
      const slot = (this.free - k + slots) % slots;
      a[slot] = rho[slot] * dot(S[slot], q);
      axpy(-a[slot], Y[slot], q);
    }
    if (this.inverse === void 0) out.set(q);
    else this.inverse(q, out);
    scale(gamma, out);
    for (let k = count; k >= 1; k--) {
      const slot = (this.free - k + slots) % slots;
      axpy(a[slot] - rho[slot] * dot(Y[slot], out), S[slot], out);
    }
  }
  /**
   * H v on the face of the coordinates where `free` is 1, with 0 where it is 0, into `out`, which is not `v`.
   *
   * @returns whether a pair is of use there; if none is, `out` is v on the face
   */
  applyWithin(free, v, out) {
    const { S, Y, a, rhoWithin: rho, capacity, count, dimension: n } = this;
    const slots = capacity + 1;
    let gamma = 0;
    for (let i = 0; i < n; i++) out[i] = free[i] * v[i];
    for (let k = 1; k <= count; k++) {
      const slot = (this.free - k + slots) % slots;
      const s = S[slot];
      const y = Y[slot];
      let sy = 0;
      let ss = 0;
      let yy = 0;
      let sq = 0;
      for (let i = 0; i < n; i++) {
        const si = s[i];
        const yi = free[i] * y[i];
        sy += si * yi;
        ss += free[i] * si * si;
        yy += yi * yi;
        sq += si * out[i];
      }
      rho[slot] = sy > LEAST_COSINE * Math.sqrt(ss) * Math.sqrt(yy) ? 1 / sy : 0;
      if (rho[slot] === 0) continue;
      if (gamma === 0) gamma = sy / yy;
      a[slot] = rho[slot] * sq;
      addWithin(free, -a[slot], y, out);
    }
    if (gamma === 0) return false;
    scale(gamma, out);
    for (let k = count; k >= 1; k--) {
      const slot = (this.free - k + slots) % slots;
      if (rho[slot] !== 0) addWithin(free, a[slot] - rho[slot] * dot(Y[slot], out), S[slot], out);
    }
    return true;
  }
  /** A copy of the pairs, oldest first. */
  save() {
    const { capacity, count, dimension: n } = this;
    const S = new Float64Array(count * n);
    const Y = new Float64Array(count * n);
    const rho = new Float64Array(count);
    for (let k = 0; k < count; k++) {
      const slot = (this.free - count + k + capacity + 1) % (capacity + 1);
      S.set(this.S[slot], k * n);
      Y.set(this.Y[slot], k * n);
      rho[k] = this.rho[slot];
    }
    return { count, S, Y, rho, gamma: this.gamma };
  }
  /** @throws CurvatureError ERR_SNAPSHOT, and is then as it was before */
  restore(state) {
    const n = this.dimension;
    const count = state.integer("count", 0, this.capacity);
    const S = state.float64("S", count * n);
    const Y = state.float64("Y", count * n);
    const rho = state.float64("rho", count);
    this.gamma = state.number("gamma");
    this.count = count;
    this.free = count % (this.capacity + 1);
    for (let k = 0; k < count; k++) {
      this.S[k].set(S.subarray(k * n, (k + 1) * n));
      this.Y[k].set(Y.subarray(k * n, (k + 1) * n));
      this.rho[k] = rho[k];
    }
  }
};
function addWithin(free, a, x, y) {
  for (let i = 0; i < x.length; i++) y[i] += a * free[i] * x[i];
}

// ../optim-core/src/solvers/lbfgs.ts
var lbfgsDefaults = Object.freeze({
  memory: 10,
  lineSearch: "strong-wolfe",
  sufficientDecrease: 1e-4,
  curvature: 0.9,
  firstStep: "scaled",
  inverseHessian: void 0,
});
var Lbfgs = class extends DescentSolver {
  name = "lbfgs";
  options;
  memory;
  wolfe;
  /**
   * @param x - the first point; copied
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE
   */
  constructor(objective, x, options) {
    super("Lbfgs", objective, x);
    this.options = checkOptions("Lbfgs", options, lbfgsDefaults, {
      memory: integerFrom(1),
      lineSearch: oneOf("strong-wolfe", "weak-wolfe", "armijo"),
      sufficientDecrease: between(0, 0.5),
      curvature: between(0, 1),
      firstStep: oneOf("scaled", "unit"),
      inverseHessian: optional(callback),
    });
    const { memory, sufficientDecrease, curvature, lineSearch, inverseHessian } = this.options;
    this.memory = new LbfgsMemory(objective.dimension, memory, inverseHessian);
    const condition = lineSearch === "weak-wolfe" ? "weak" : "strong";
    this.wolfe = { ...wolfeDefaults, sufficientDecrease, curvature, condition };
  }
  aim() {
    const { p, gradient } = this.line;
    this.memory.apply(gradient, p);
    for (let i = 0; i < p.length; i++) p[i] = -p[i];
    return this.memory.size === 0 && this.options.inverseHessian === void 0;
  }
  firstTrial(isGradient) {
    if (!isGradient || this.options.firstStep === "unit") return 1;
    return Math.min(1, 1 / norm1(this.line.gradient));
  }
  search(first) {
    if (this.options.lineSearch !== "armijo") return searchWolfe(this.line, first, this.wolfe);
    return backtrack(this.line, first, { sufficientDecrease: this.options.sufficientDecrease, shrink: 0.5 });
  }
  learn() {
    const { x, trialX, gradient, trialGradient } = this.line;
    this.memory.update(trialX, x, trialGradient, gradient);
  }
  forget() {
    this.memory.clear();
  }
  saveMethod() {
    return { capacity: this.memory.capacity, ...this.memory.save() };
  }
  restoreMethod(state) {
    const capacity = state.integer("capacity");
    if (capacity !== this.memory.capacity)
      throw new CurvatureError(
        "ERR_SNAPSHOT",
        `The snapshot is of an L-BFGS with memory ${capacity}, this one has ${this.memory.capacity}. Make the solver with the same memory.`,
        { path: "memory", expected: String(this.memory.capacity), received: capacity },
      );
    this.memory.restore(state);
  }
};

// ../optim-core/src/solvers/sgd-state.ts
var sgdDefaults = Object.freeze({
  initialStep: 1,
  decay: 0.01,
  batchSize: 1,
  sampling: "permutation",
  seed: 0,
});
var VERSION2 = 1;
var SgdState = class {
  name = "sgd";
  dimension;
  fingerprint;
  options;
  N;
  x;
  random;
  order;
  /** The batch under way, and how many terms are in it (0: none is). */
  batch;
  size = 0;
  index = 0;
  evaluations = 0;
  outcome;
  constructor(where, sum, x, options) {
    checkSum(where, sum);
    checkPoint(where, x, sum.dimension);
    this.options = checkOptions(where, options, sgdDefaults, {
      initialStep: positive,
      decay: nonNegative,
      batchSize: integerFrom(1),
      sampling: oneOf("permutation", "replacement"),
      seed: integerFrom(0),
    });
    this.dimension = sum.dimension;
    this.N = sum.count;
    this.fingerprint = sum.fingerprint ?? fingerprintOf("sum", sum.dimension, sum.count);
    this.x = x.slice();
    this.random = new RandomGenerator(this.options.seed);
    const isPermuted = this.options.sampling === "permutation";
    this.order = Int32Array.from({ length: isPermuted ? this.N : 0 }, (_, q) => q);
    if (isPermuted) shuffle(this.random, this.order);
    this.batch = new Int32Array(Math.min(this.options.batchSize, this.N));
  }
  /** Not measured, so without a value. */
  get best() {
    return { x: this.x, value: void 0 };
  }
  get last() {
    return this.best;
  }
  get pass() {
    return Math.floor(this.evaluations / this.N);
  }
  get stepLength() {
    return this.options.initialStep / (1 + this.options.decay * this.pass);
  }
  /** The next batch, `ahead` terms after those that are counted. */
  drawBatch(ahead) {
    const { batch, order, N, random } = this;
    const place = (this.evaluations + ahead) % N;
    this.size = Math.min(batch.length, N - place);
    for (let k = 0; k < this.size; k++) batch[k] = order.length > 0 ? order[place + k] : random.integer(N);
  }
  /** Counts terms that were used; at the end of a pass a new order begins. */
  count(terms) {
    this.evaluations += terms;
    this.size = 0;
    this.index++;
    if (this.evaluations % this.N === 0) shuffle(this.random, this.order);
  }
  diverge() {
    this.index++;
    this.size = 0;
    this.outcome = {
      status: "diverged",
      message: `A step of ${this.stepLength} led to numbers that are not finite; the point before it is kept. Give a smaller initialStep.`,
    };
  }
  iteration() {
    const { evaluations, N } = this;
    const isPassEnd = evaluations > 0 && evaluations % N === 0;
    return {
      index: this.index,
      value: void 0,
      gradientNorm: void 0,
      stepLength: this.stepLength,
      evaluations,
      gradientEvaluations: evaluations,
      monitoringEvaluations: 0,
      passes: evaluations / N,
      phase: isPassEnd ? "pass" : "terms",
      details: { pass: this.pass, step: this.stepLength },
      outcome: this.outcome,
    };
  }
  save() {
    return {
      solver: this.name,
      version: VERSION2,
      state: {
        x: this.x.slice(),
        order: this.order.slice(),
        batch: this.batch.slice(),
        size: this.size,
        index: this.index,
        evaluations: this.evaluations,
        random: this.random.save(),
        outcome: this.outcome === void 0 ? null : { ...this.outcome },
      },
    };
  }
  restore(snapshot) {
    const { N } = this;
    const state = openSnapshot(snapshot, this.name, VERSION2);
    const x = state.float64("x", this.dimension);
    const order = state.int32("order", this.order.length);
    const batch = state.int32("batch", this.batch.length);
    if (![...order, ...batch].every((q) => q >= 0 && q < N))
      throw new CurvatureError("ERR_SNAPSHOT", `Snapshot for ${this.name}: terms are from 0 to ${N - 1}.`, {
        path: "order",
      });
    const size = state.integer("size", 0, batch.length);
    const index = state.integer("index");
    const evaluations = state.integer("evaluations");
    const outcome = state.outcome("outcome");
    this.random.restore(state.uint32("random", 4));
    this.x.set(x);
    this.order.set(order);
    this.batch.set(batch);
    this.size = size;
    this.index = index;
    this.evaluations = evaluations;
    this.outcome = outcome;
  }
};

// ../optim-core/src/solvers/sparse-sgd.ts
var BLOCK2 = 8192;
var SparseSgd = class extends SgdState {
  sum;
  block;
  before;
  coordinates;
  entries;
  /** The batch's gradient, the coordinates where it is not 0, and marks of them. */
  gradient;
  touched;
  mark;
  /**
   * @param x - the first point; copied
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE
   */
  constructor(sum, x, options) {
    super("SparseSgd", sum, x, options);
    const { dimension } = sum;
    this.sum = sum;
    this.block = Math.max(BLOCK2, dimension >> 3);
    this.before = new Float64Array(dimension);
    this.coordinates = new Int32Array(dimension);
    this.entries = new Float64Array(dimension);
    this.gradient = new Float64Array(dimension);
    this.touched = new Int32Array(dimension);
    this.mark = new Uint8Array(dimension);
  }
  step() {
    if (this.outcome !== void 0) return this.iteration();
    const { x, before, random } = this;
    const words2 = random.save();
    before.set(x);
    let terms = 0;
    try {
      terms = this.descend();
    } catch (error) {
      x.set(before);
      random.restore(words2);
      this.size = 0;
      this.gradient.fill(0);
      this.mark.fill(0);
      throw error;
    }
    if (x.every(Number.isFinite)) this.count(terms);
    else {
      x.set(before);
      this.diverge();
    }
    return this.iteration();
  }
  /** A block of batches; returns the number of their terms. */
  descend() {
    const { N, batch, evaluations, block, stepLength } = this;
    const most = Math.min(block, N - (evaluations % N));
    let terms = 0;
    while (terms < most) {
      this.drawBatch(terms);
      if (batch.length === 1) this.descendOne(batch[0], stepLength);
      else this.descendBatch(stepLength);
      terms += this.size;
    }
    return terms;
  }
  descendOne(index, step) {
    const { sum, x, coordinates, entries } = this;
    const count = sum.evaluateSparse(index, x, coordinates, entries).touched;
    for (let k = 0; k < count; k++) x[coordinates[k]] -= step * entries[k];
  }
  descendBatch(step) {
    const { sum, x, batch, size, coordinates, entries, gradient, touched, mark } = this;
    let length = 0;
    for (let q = 0; q < size; q++) {
      const count = sum.evaluateSparse(batch[q], x, coordinates, entries).touched;
      for (let k = 0; k < count; k++) {
        const i = coordinates[k];
        gradient[i] += entries[k];
        if (mark[i] === 1) continue;
        mark[i] = 1;
        touched[length++] = i;
      }
    }
    for (let k = 0; k < length; k++) {
      const i = touched[k];
      x[i] -= step * gradient[i];
      gradient[i] = 0;
      mark[i] = 0;
    }
  }
};

// ../optim-core/src/solvers/sgd.ts
var Sgd = class extends SgdState {
  gradient;
  asked = 0;
  isAnswered;
  answers = 0;
  /**
   * @param x - the first point; copied
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE
   */
  constructor(sum, x, options) {
    super("Sgd", sum, x, options);
    this.gradient = new Float64Array(sum.dimension);
    this.isAnswered = new Uint8Array(this.batch.length);
  }
  ask(limit = Number.POSITIVE_INFINITY) {
    if (this.outcome !== void 0) return [{ index: 0, point: this.x, ticket: 0 }];
    if (this.size === 0) this.drawBatch(0);
    const questions = [];
    for (; this.asked < this.size && questions.length < limit; this.asked++)
      questions.push({ index: this.batch[this.asked], point: this.x, ticket: this.asked });
    return questions;
  }
  tell(ticket, _value, gradient) {
    if (this.outcome !== void 0) return this.iteration();
    if (!(ticket >= 0 && ticket < this.asked) || this.isAnswered[ticket] === 1)
      throw new CurvatureError("ERR_ARGUMENT", `Sgd: no question waits with the ticket ${ticket}.`, {
        path: "ticket",
        received: ticket,
      });
    const sum = this.gradient;
    for (let i = 0; i < sum.length; i++) sum[i] += gradient[i];
    this.isAnswered[ticket] = 1;
    this.answers++;
    if (this.answers < this.size) return void 0;
    if (this.canMove()) this.count(this.size);
    else this.diverge();
    this.forgetAnswers();
    return this.iteration();
  }
  /** Makes the step unless it leads out of the finite numbers. */
  canMove() {
    const { x, gradient, stepLength } = this;
    for (let i = 0; i < x.length; i++) if (!Number.isFinite(x[i] - stepLength * gradient[i])) return false;
    for (let i = 0; i < x.length; i++) x[i] -= stepLength * gradient[i];
    return true;
  }
  forgetAnswers() {
    this.gradient.fill(0);
    this.isAnswered.fill(0);
    this.asked = 0;
    this.answers = 0;
  }
  restore(snapshot) {
    super.restore(snapshot);
    this.forgetAnswers();
  }
};
function sgd(sum, x, options) {
  checkSum("sgd", sum);
  return isSparse(sum) ? new SparseSgd(sum, x, options) : driveSum(new Sgd(sum, x, options), sum);
}
function isSparse(sum) {
  return typeof sum.evaluateSparse === "function";
}

// ../optim-core/src/solvers/gradient-descent.ts
var gradientDescentDefaults = Object.freeze({
  initialStep: void 0,
  growth: 2,
  sufficientDecrease: 1e-4,
  shrink: 0.5,
});
var GradientDescent = class extends DescentSolver {
  name = "gd";
  options;
  /** The last accepted α; 0 before the first. */
  alpha = 0;
  /**
   * @param x - the first point; copied
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE
   */
  constructor(objective, x, options) {
    super("GradientDescent", objective, x);
    this.options = checkOptions("GradientDescent", options, gradientDescentDefaults, {
      initialStep: optional(positive),
      growth: between(1, 10),
      sufficientDecrease: between(0, 0.5),
      shrink: between(0.01, 0.99),
    });
  }
  aim() {
    const { p, gradient } = this.line;
    for (let i = 0; i < p.length; i++) p[i] = -gradient[i];
    return true;
  }
  firstTrial() {
    if (this.alpha > 0) return this.options.growth * this.alpha;
    return this.options.initialStep ?? Math.min(1, 1 / norm1(this.line.gradient));
  }
  search(first) {
    return backtrack(this.line, first, this.options);
  }
  learn() {
    this.alpha = this.line.alpha;
  }
  forget() {
    this.alpha = 0;
  }
  saveMethod() {
    return { alpha: this.alpha };
  }
  restoreMethod(state) {
    this.alpha = state.number("alpha");
  }
};

// ../optim-core/src/timed.ts
async function timed(work, signal) {
  const phase = new Phase(work);
  const { status, cause, message, elapsedSeconds } = await run(phase, {
    stop: maxIterations(1),
    yieldEvery: 0,
    ...(signal === void 0 ? {} : { signal }),
  });
  if (status === "failed") throw cause;
  if (phase.result === void 0) {
    signal?.throwIfAborted();
    throw new CurvatureError("ERR_ARGUMENT", message, { path: "signal" });
  }
  return { value: phase.result.value, seconds: elapsedSeconds };
}
var nowhere = { x: new Float64Array(0), value: void 0 };
var Phase = class {
  constructor(work) {
    this.work = work;
  }
  work;
  name = "phase";
  dimension = 0;
  fingerprint = "phase";
  best = nowhere;
  last = nowhere;
  result;
  async step() {
    this.result = { value: await this.work() };
    return {
      index: 1,
      value: void 0,
      gradientNorm: void 0,
      stepLength: void 0,
      evaluations: 0,
      gradientEvaluations: 0,
      monitoringEvaluations: 0,
      passes: 0,
      phase: "phase",
      details: void 0,
      outcome: void 0,
    };
  }
  save() {
    return { solver: this.name, version: 1, state: null };
  }
  restore() {
    this.result = void 0;
  }
};

// src/answers/groups.ts
function groupsOf({ objects, quadruplets }) {
  const parent = new Int32Array(objects);
  for (let r = 0; r < objects; r++) parent[r] = r;
  for (let at = 0; at < quadruplets.length; at += 4)
    for (let e = at; e < at + 3; e++) {
      const a = root(parent, quadruplets[e]);
      const b = root(parent, quadruplets[e + 1]);
      parent[Math.max(a, b)] = Math.min(a, b);
    }
  const labels = new Int32Array(objects);
  let count = 0;
  for (let r = 0; r < objects; r++) labels[r] = parent[r] === r ? count++ : labels[root(parent, r)];
  return { count, labels };
}
function root(parent, start) {
  let r = start;
  while (parent[r] !== r) {
    parent[r] = parent[parent[r]];
    r = parent[r];
  }
  return r;
}

// src/answers/questions-asked.ts
function questionsAsked(quadruplets) {
  const N = quadruplets.length / 4;
  let size = 16;
  while (size < 2 * N) size *= 2;
  const slots = new Int32Array(size).fill(-1);
  const questionOf = new Int32Array(N);
  const answered = new Uint8Array(N);
  const one = new Int32Array(4);
  const other = new Int32Array(4);
  let count = 0;
  let duplicates = 0;
  let contradictions = 0;
  for (let q = 0; q < N; q++) {
    const answer = 1 + writeQuestion(quadruplets, q, one);
    let slot = hash(one) & (size - 1);
    while (slots[slot] >= 0) {
      writeQuestion(quadruplets, slots[slot], other);
      if (isSame(one, other)) break;
      slot = (slot + 1) & (size - 1);
    }
    if (slots[slot] < 0) {
      slots[slot] = q;
      questionOf[q] = count++;
    } else {
      questionOf[q] = questionOf[slots[slot]];
    }
    const before = answered[questionOf[q]];
    const after = before | answer;
    if (after === before) duplicates++;
    else if (before !== 0) contradictions++;
    answered[questionOf[q]] = after;
  }
  return { count, questionOf, duplicates, contradictions };
}
function writeQuestion(quadruplets, q, out) {
  const i = Math.min(quadruplets[4 * q], quadruplets[4 * q + 1]);
  const j = Math.max(quadruplets[4 * q], quadruplets[4 * q + 1]);
  const l = Math.min(quadruplets[4 * q + 2], quadruplets[4 * q + 3]);
  const k = Math.max(quadruplets[4 * q + 2], quadruplets[4 * q + 3]);
  const inOrder2 = i < l || (i === l && j < k);
  out[0] = inOrder2 ? i : l;
  out[1] = inOrder2 ? j : k;
  out[2] = inOrder2 ? l : i;
  out[3] = inOrder2 ? k : j;
  return inOrder2 ? 0 : 1;
}
var isSame = (a, b) => a[0] === b[0] && a[1] === b[1] && a[2] === b[2] && a[3] === b[3];
function hash(words2) {
  let h = 0;
  for (let k = 0; k < 4; k++) {
    h = Math.imul(h ^ words2[k], 2246822507);
    h = Math.imul(h ^ (h >>> 13), 3266489909);
    h ^= h >>> 16;
  }
  return h >>> 0;
}

// src/answers/prepared.ts
function prepareAnswers({ comparisons: given, degenerate }) {
  const { objects } = given;
  const isPlaced = new Uint8Array(objects);
  for (const object of given.quadruplets) isPlaced[object] = 1;
  const unplaced = [];
  for (let r = 0; r < objects; r++) if (isPlaced[r] === 0) unplaced.push(r);
  const placed = unplaced.length === 0 ? void 0 : placesOf(isPlaced, objects - unplaced.length);
  const comparisons = placed === void 0 ? given : renumbered(given, placed);
  const groups = groupsOf(comparisons);
  const componentOf = new Int32Array(objects).fill(-1);
  groups.labels.forEach((label, r) => {
    componentOf[placed === void 0 ? r : placed[r]] = label;
  });
  const questions = questionsAsked(comparisons.quadruplets);
  const summary = {
    count: comparisons.quadruplets.length / 4,
    degenerate,
    duplicates: questions.duplicates,
    contradictions: questions.contradictions,
    unplaced,
    components: groups.count,
    componentOf,
  };
  return { comparisons, placed, questions, summary, warnings: warningsOf(summary) };
}
function placesOf(isPlaced, count) {
  const placed = new Int32Array(count);
  let to = 0;
  for (let r = 0; r < isPlaced.length; r++) if (isPlaced[r] === 1) placed[to++] = r;
  return placed;
}
function renumbered({ quadruplets, weights }, placed) {
  const numberOf = new Int32Array(placed[placed.length - 1] + 1);
  placed.forEach((object, r) => {
    numberOf[object] = r;
  });
  return {
    objects: placed.length,
    quadruplets: quadruplets.map((object) => numberOf[object]),
    ...(weights === void 0 ? {} : { weights }),
  };
}
function warningsOf({ unplaced, components, componentOf }) {
  const warnings = [];
  if (unplaced.length > 0) {
    const some = unplaced.slice(0, 10).join(", ");
    const more = unplaced.length > 10 ? ` and ${unplaced.length - 10} more` : "";
    const shifted =
      unplaced.length === 1 && unplaced[0] === 0 ? " If your objects are numbered from 1, subtract 1." : "";
    warnings.push(
      `No answer speaks of ${unplaced.length} of ${componentOf.length} objects (${some}${more}): they have no place, and their rows are NaN.${shifted}`,
    );
  }
  if (components > 1)
    warnings.push(
      `The answers fall into ${components} groups of objects that no answer connects: how the groups lie to each other is arbitrary. Ask questions between them.`,
    );
  return warnings;
}

// src/answers/read-answers.ts
var MOST_OBJECTS = 2 ** 26;
function readAnswers(given, options) {
  const { where, degenerate = "error" } = options;
  const { quadruplets, objects: stated, weights: own } = quadrupletsOf(given, where);
  const objects = objectsOf(quadruplets, stated, options);
  const weights = weightsOf(options.weights ?? own, quadruplets.length / 4, where);
  if (quadruplets.length === 0 && options.mayBeEmpty !== true)
    throw shape(where, "there are no answers. Give at least one", "answers", given);
  const all = weights === void 0 ? { objects, quadruplets } : { objects, quadruplets, weights };
  const isFitted = new Uint8Array(quadruplets.length / 4);
  let fitted2 = 0;
  let refusals = 0;
  for (let q = 0; q < isFitted.length; q++) {
    const isRefused = isDegenerate(quadruplets, q);
    if (isRefused && degenerate === "error") throw refused(where, quadruplets, q);
    isFitted[q] = isRefused || weights?.[q] === 0 ? 0 : 1;
    fitted2 += isFitted[q];
    refusals += isRefused ? 1 : 0;
  }
  const count = isFitted.length;
  if (fitted2 === 0 && count > 0)
    throw shape(
      where,
      "all answers compare an object or a pair to itself, or have the weight 0. Give others",
      "answers",
      given,
    );
  const comparisons = fitted2 === count ? all : chosen(all, isFitted, fitted2);
  return { comparisons, measured: degenerate === "keep" ? all : comparisons, degenerate: refusals };
}
function chosen({ objects, quadruplets, weights }, isChosen, count) {
  const some = new Int32Array(4 * count);
  const weight = weights === void 0 ? void 0 : new Float64Array(count);
  let to = 0;
  for (let q = 0; q < isChosen.length; q++) {
    if (isChosen[q] === 0) continue;
    some.set(quadruplets.subarray(4 * q, 4 * q + 4), 4 * to);
    if (weight !== void 0 && weights !== void 0) weight[to] = weights[q];
    to++;
  }
  return { objects, quadruplets: some, ...(weight === void 0 ? {} : { weights: weight }) };
}
function quadrupletsOf(given, where) {
  if (Array.isArray(given)) return { quadruplets: fromRows2(given, where), objects: void 0, weights: void 0 };
  const { numbers, width, objects, weights } = flatOf(given, where);
  if (numbers.length % width !== 0)
    throw shape(
      where,
      `${width === 3 ? "triplets" : "quadruplets"} must be ${width} numbers for each answer; there are ${numbers.length} in all`,
      width === 3 ? "triplets" : "quadruplets",
      numbers.length,
    );
  const count = numbers.length / width;
  const quadruplets = new Int32Array(4 * count);
  for (let q = 0; q < count; q++) write(quadruplets, q, numbers, width * q, width, where);
  return { quadruplets, objects, weights };
}
function fromRows2(rows, where) {
  const quadruplets = new Int32Array(4 * rows.length);
  for (let q = 0; q < rows.length; q++) {
    const row = rows[q];
    if (!isNumbers(row) || (row.length !== 3 && row.length !== 4))
      throw shape(
        where,
        `answer ${q} (counted from 0) must be three numbers i, j, k or four i, j, l, k; received ${shown(row)}`,
        `answers[${q}]`,
        row,
      );
    write(quadruplets, q, row, 0, row.length, where);
  }
  return quadruplets;
}
function write(out, q, numbers, at, width, where) {
  for (let e = 0; e < width; e++) {
    const index = numbers[at + e];
    if (typeof index !== "number" || !Number.isSafeInteger(index) || index < 0 || index >= MOST_OBJECTS)
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `${where}: answer ${q} (counted from 0) names the object ${shown(index)}. Objects are whole numbers from 0 to ${MOST_OBJECTS - 1}; number yours that way.`,
        { path: `answers[${q}]`, expected: "a whole number from 0", received: index },
      );
    out[4 * q + (width === 3 && e === 2 ? 3 : e)] = index;
  }
  if (width === 3) out[4 * q + 2] = out[4 * q];
}
function flatOf(given, where) {
  if (typeof given === "object" && given !== null) {
    const weights = "weights" in given ? given.weights : void 0;
    if (weights !== void 0 && !isNumbers(weights))
      throw shape(
        where,
        `weights must be an array of numbers; received ${shown(weights)}`,
        "weights",
        weights,
      );
    const objects = "objects" in given ? given.objects : void 0;
    const triplets = "triplets" in given ? given.triplets : void 0;
    const quadruplets = "quadruplets" in given ? given.quadruplets : void 0;
    if (isNumbers(quadruplets) && triplets === void 0)
      return { numbers: quadruplets, width: 4, objects, weights };
    if (isNumbers(triplets) && quadruplets === void 0)
      return { numbers: triplets, width: 3, objects, weights };
  }
  throw shape(
    where,
    `answers must be rows of three or four numbers, { triplets } or { quadruplets }; received ${shown(given)}`,
    "answers",
    given,
  );
}
function isNumbers(value) {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}
function objectsOf(quadruplets, stated, { where, objects }) {
  let largest = -1;
  for (let at = 0; at < quadruplets.length; at++) largest = Math.max(largest, quadruplets[at]);
  if (objects !== void 0 && stated !== void 0 && objects !== stated)
    throw badOption(where, "objects", `${shown(stated)}, as the answers have it`, objects);
  const n = objects ?? stated;
  if (n === void 0) {
    checkProportion(quadruplets, largest, where);
    return Math.max(1, largest + 1);
  }
  if (typeof n !== "number" || !Number.isSafeInteger(n) || n < 1 || n > MOST_OBJECTS)
    throw badOption(where, "objects", `a whole number from 1 to ${MOST_OBJECTS}`, n);
  if (largest >= n)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `${where}: answer ${Math.floor(quadruplets.indexOf(largest) / 4)} (counted from 0) names the object ${largest}, but there are ${n}, from 0 to ${n - 1}.`,
      { path: "answers", expected: `at most ${n - 1}`, received: largest },
    );
  return n;
}
function checkProportion(quadruplets, largest, where) {
  if (largest < 1e3 + 25 * quadruplets.length) return;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `${where}: the answers name the object ${largest}, far more than they could speak of. Number the objects from 0 without gaps, or say with the option objects how many there are.`,
    { path: "objects", received: largest },
  );
}
function weightsOf(given, count, where) {
  if (given === void 0) return void 0;
  if (!isNumbers(given) || given.length !== count)
    throw shape(
      where,
      `weights must be ${count} numbers, one for each answer; received ${shown(given)}`,
      "weights",
      given,
    );
  const weights = new Float64Array(count);
  for (let q = 0; q < count; q++) {
    const weight = given[q];
    if (typeof weight !== "number" || !(weight >= 0 && weight < Number.POSITIVE_INFINITY))
      throw new CurvatureError(
        "ERR_NON_FINITE",
        `${where}: answer ${q} (counted from 0) has the weight ${shown(weight)}. Weights must be finite and at least 0.`,
        { path: `weights[${q}]`, expected: "a finite number of at least 0", received: weight },
      );
    weights[q] = weight;
  }
  return weights;
}
function isDegenerate(quadruplets, q) {
  const i = quadruplets[4 * q];
  const j = quadruplets[4 * q + 1];
  const l = quadruplets[4 * q + 2];
  const k = quadruplets[4 * q + 3];
  return i === j || l === k || (i === l && j === k) || (i === k && j === l);
}
function refused(where, quadruplets, q) {
  const indices = Array.from(quadruplets.subarray(4 * q, 4 * q + 4));
  return new CurvatureError(
    "ERR_ARGUMENT",
    `${where}: answer ${q} (counted from 0), ${indices.join(" ")}, compares an object or a pair to itself. Remove such answers, or set degenerate to "drop" or "keep".`,
    { path: `answers[${q}]`, received: indices },
  );
}
function shape(where, what, path, received) {
  return new CurvatureError("ERR_SHAPE", `${where}: ${what}.`, { path, received });
}

// src/answers/parts.ts
function answersAt({ objects, quadruplets, weights }, order) {
  const some = new Int32Array(4 * order.length);
  const weight = new Float64Array(weights === void 0 ? 0 : order.length);
  for (let to = 0; to < order.length; to++) {
    const q = order[to];
    some[4 * to] = quadruplets[4 * q];
    some[4 * to + 1] = quadruplets[4 * q + 1];
    some[4 * to + 2] = quadruplets[4 * q + 2];
    some[4 * to + 3] = quadruplets[4 * q + 3];
    if (weights !== void 0) weight[to] = weights[q];
  }
  return { objects, quadruplets: some, ...(weights === void 0 ? {} : { weights: weight }) };
}
function evenParts({ count, questionOf }, parts, random) {
  const place = permutation(random, count);
  return questionOf.map((question) => Math.floor((place[question] * parts) / count));
}
function separated(comparisons, partOf, part) {
  let count = 0;
  for (let q = 0; q < partOf.length; q++) if (partOf[q] === part) count++;
  const inside = new Int32Array(count);
  const outside = new Int32Array(partOf.length - count);
  let toInside = 0;
  let toOutside = 0;
  for (let q = 0; q < partOf.length; q++) {
    if (partOf[q] === part) inside[toInside++] = q;
    else outside[toOutside++] = q;
  }
  return { inside: answersAt(comparisons, inside), outside: answersAt(comparisons, outside) };
}
function heldOut(comparisons, { count, questionOf }, target, random) {
  const answersOf = new Int32Array(count);
  for (let q = 0; q < questionOf.length; q++) answersOf[questionOf[q]]++;
  const isHeld = new Int32Array(count);
  let held = 0;
  for (const question of permutation(random, count)) {
    if (held >= target) break;
    isHeld[question] = 1;
    held += answersOf[question];
  }
  if (held === 0 || held === questionOf.length) return void 0;
  const { inside, outside } = separated(
    comparisons,
    questionOf.map((question) => isHeld[question]),
    1,
  );
  return { training: outside, validation: inside };
}

// src/answers/resampled.ts
function byQuestion({ count, questionOf }) {
  const begin = new Int32Array(count + 1);
  for (const question of questionOf) begin[question + 1]++;
  for (let k = 0; k < count; k++) begin[k + 1] += begin[k];
  const next = begin.slice();
  const order = new Int32Array(questionOf.length);
  questionOf.forEach((question, q) => {
    order[next[question]++] = q;
  });
  return { order, begin };
}
function resampled(comparisons, { order, begin }, random) {
  const count = begin.length - 1;
  const drawn = new Int32Array(count);
  let size = 0;
  for (let k = 0; k < count; k++) {
    drawn[k] = random.integer(count);
    size += begin[drawn[k] + 1] - begin[drawn[k]];
  }
  const sample = new Int32Array(size);
  let to = 0;
  for (const question of drawn)
    for (let at = begin[question]; at < begin[question + 1]; at++) sample[to++] = order[at];
  return answersAt(comparisons, sample);
}

// ../objectives/src/ordinal/comparisons.ts
function comparisonCount(comparisons) {
  checkArrays(comparisons);
  return comparisons.quadruplets.length / 4;
}
function checkComparisons(comparisons) {
  checkIndices(comparisons);
  const { quadruplets } = comparisons;
  if (quadruplets.length === 0)
    throw malformed("There are no comparisons. Give at least one.", "quadruplets");
  for (let at = 0; at < quadruplets.length; at += 4) {
    const i = quadruplets[at];
    const j = quadruplets[at + 1];
    const l = quadruplets[at + 2];
    const k = quadruplets[at + 3];
    if (i === j || l === k)
      throw wrong(at, comparisons, `compares the distance of object ${i === j ? i : l} to itself`);
    if ((i === l && j === k) || (i === k && j === l))
      throw wrong(at, comparisons, "compares a pair to itself");
  }
  checkWeights(comparisons);
}
function checkIndices(comparisons) {
  checkArrays(comparisons);
  const { objects, quadruplets } = comparisons;
  for (let at = 0; at < quadruplets.length; at++)
    if (quadruplets[at] < 0 || quadruplets[at] >= objects)
      throw wrong(
        at,
        comparisons,
        `names the object ${quadruplets[at]}, but they are from 0 to ${objects - 1}`,
      );
}
function checkArrays(comparisons) {
  if (typeof comparisons !== "object" || comparisons === null)
    throw malformed(`Comparisons must be an object; received ${shown(comparisons)}.`, "comparisons");
  const { objects, quadruplets, weights } = comparisons;
  if (objects === void 0 || !Number.isSafeInteger(objects) || objects < 1 || objects > 2 ** 31 - 1)
    throw malformed(
      `objects must be a whole number from 1 to 2^31 - 1; received ${shown(objects)}.`,
      "objects",
    );
  if (!(quadruplets instanceof Int32Array) || quadruplets.length % 4 !== 0)
    throw malformed(
      `quadruplets must be an Int32Array of i, j, l, k for each comparison; received ${shown(quadruplets)}${quadruplets instanceof Int32Array ? ` of length ${quadruplets.length}` : ""}.`,
      "quadruplets",
    );
  if (weights !== void 0 && (!(weights instanceof Float64Array) || 4 * weights.length !== quadruplets.length))
    throw malformed(
      `weights must be a Float64Array of length ${quadruplets.length / 4}, one for each comparison; received ${shown(weights)}.`,
      "weights",
    );
}
function checkWeights({ weights }) {
  if (weights === void 0) return;
  let sum = 0;
  for (let q = 0; q < weights.length; q++) {
    if (!(weights[q] >= 0 && weights[q] < Number.POSITIVE_INFINITY))
      throw new CurvatureError(
        "ERR_NON_FINITE",
        `Comparison ${q} (counted from 0) has the weight ${weights[q]}. Weights must be finite and at least 0.`,
        { path: `weights[${q}]`, expected: "a finite number of at least 0", received: weights[q] },
      );
    sum += weights[q];
  }
  if (!(sum > 0 && sum < Number.POSITIVE_INFINITY))
    throw malformed(`The weights must have a finite sum above 0; it is ${sum}.`, "weights");
}
function wrong(at, { quadruplets }, what) {
  const q = Math.floor(at / 4);
  const indices = Array.from(quadruplets.subarray(4 * q, 4 * q + 4));
  return new CurvatureError(
    "ERR_ARGUMENT",
    `Comparison ${q} (counted from 0), ${indices.join(" ")}, ${what}. Correct or remove it.`,
    { path: `quadruplets[${at}]`, received: indices },
  );
}
function malformed(message, path) {
  return new CurvatureError("ERR_SHAPE", message, { path });
}

// ../objectives/src/ordinal/loss.ts
function lossFrom(kernels) {
  const [d1s, d2s, out, a, c] = Array.from({ length: 5 }, () => new Float64Array(1));
  const value = (d1, d2) => {
    d1s[0] = d1;
    d2s[0] = d2;
    kernels.values(1, d1s, d2s, out);
    return out[0];
  };
  return {
    ...kernels,
    value,
    evaluate(d1, d2, coefficients) {
      const l = value(d1, d2);
      kernels.slopes(1, d1s, d2s, a, c);
      coefficients[0] = a[0];
      coefficients[1] = c[0];
      return l;
    },
  };
}

// ../objectives/src/ordinal/ckl.ts
function ckl(mu) {
  return lossFrom({
    name: "ckl",
    description: `ckl, mu ${mu}`,
    values(count, d1, d2, out) {
      for (let q = 0; q < count; q++) out[q] = log1p((d1[q] + mu) / (d2[q] + mu));
    },
    slopes(count, d1, d2, a, c) {
      for (let q = 0; q < count; q++) {
        const near = d1[q] + mu;
        const far = d2[q] + mu;
        const slope = 1 / (near + far);
        a[q] = slope;
        c[q] = -(near / far) * slope;
      }
    },
  });
}

// ../objectives/src/ordinal/gnmds.ts
function gnmds() {
  return lossFrom({
    name: "gnmds",
    description: "gnmds",
    values(count, d1, d2, out) {
      for (let q = 0; q < count; q++) out[q] = Math.max(0, 1 + d1[q] - d2[q]);
    },
    slopes(count, d1, d2, a, c) {
      for (let q = 0; q < count; q++) {
        const isActive = 1 + d1[q] - d2[q] > 0 ? 1 : 0;
        a[q] = isActive;
        c[q] = -isActive;
      }
    },
  });
}

// ../objectives/src/ordinal/distance.ts
var SMALLEST = 1e-12;
function distance(squared) {
  return Math.sqrt(squared + SMALLEST);
}

// ../objectives/src/ordinal/softplus.ts
function softplus(z) {
  return Math.max(z, 0) + log1p(exp(-Math.abs(z)));
}
function sigmoid(z) {
  const e = exp(-Math.abs(z));
  const t = 1 / (1 + e);
  return z >= 0 ? t : e * t;
}

// ../objectives/src/ordinal/logistic.ts
function logistic() {
  return lossFrom({
    name: "logistic",
    description: "logistic",
    values(count, d1, d2, out) {
      for (let q = 0; q < count; q++) out[q] = softplus(distance(d1[q]) - distance(d2[q]));
    },
    slopes(count, d1, d2, a, c) {
      for (let q = 0; q < count; q++) {
        const near = distance(d1[q]);
        const far = distance(d2[q]);
        const half = 0.5 * sigmoid(near - far);
        a[q] = half / near;
        c[q] = -half / far;
      }
    },
  });
}

// ../objectives/src/ordinal/smooth-hinge.ts
function smoothHinge() {
  return lossFrom({
    name: "smooth-hinge",
    description: "smooth-hinge",
    values(count, d1, d2, out) {
      for (let q = 0; q < count; q++) out[q] = softplus(1 + d1[q] - d2[q]);
    },
    slopes(count, d1, d2, a, c) {
      for (let q = 0; q < count; q++) {
        const s = sigmoid(1 + d1[q] - d2[q]);
        a[q] = s;
        c[q] = -s;
      }
    },
  });
}

// ../objectives/src/ordinal/soe.ts
function soe() {
  return lossFrom({
    name: "soe",
    description: "soe",
    values(count, d1, d2, out) {
      for (let q = 0; q < count; q++) {
        const m = Math.max(0, 1 + distance(d1[q]) - distance(d2[q]));
        out[q] = m * m;
      }
    },
    slopes(count, d1, d2, a, c) {
      for (let q = 0; q < count; q++) {
        const near = distance(d1[q]);
        const far = distance(d2[q]);
        const m = Math.max(0, 1 + near - far);
        a[q] = m / near;
        c[q] = -m / far;
      }
    },
  });
}

// ../objectives/src/ordinal/ste.ts
function ste() {
  return lossFrom({
    name: "ste",
    description: "ste",
    values(count, d1, d2, out) {
      for (let q = 0; q < count; q++) out[q] = softplus(d1[q] - d2[q]);
    },
    slopes(count, d1, d2, a, c) {
      for (let q = 0; q < count; q++) {
        const s = sigmoid(d1[q] - d2[q]);
        a[q] = s;
        c[q] = -s;
      }
    },
  });
}

// ../objectives/src/ordinal/tste.ts
function tste(alpha) {
  const h = (alpha + 1) / 2;
  return lossFrom({
    name: "tste",
    description: `tste, alpha ${alpha}`,
    values(count, d1, d2, out) {
      for (let q = 0; q < count; q++) out[q] = softplus(h * log((alpha + d1[q]) / (alpha + d2[q])));
    },
    slopes(count, d1, d2, a, c) {
      for (let q = 0; q < count; q++) {
        const near = alpha + d1[q];
        const far = alpha + d2[q];
        const slope = h * sigmoid(h * log(near / far));
        a[q] = slope / near;
        c[q] = -slope / far;
      }
    },
  });
}

// ../objectives/src/ordinal/losses.ts
var ordinalLossDefaults = Object.freeze({ mu: 0.05, alpha: void 0, dimensions: 2 });
var makers = {
  gnmds,
  ckl: ({ mu }) => ckl(mu),
  ste,
  tste: ({ alpha, dimensions }) => tste(alpha ?? Math.max(dimensions - 1, 1)),
  soe,
  logistic,
  "smooth-hinge": smoothHinge,
};
var ordinalLossNames = Object.freeze(["gnmds", "ckl", "ste", "tste", "soe", "logistic", "smooth-hinge"]);
function ordinalLoss(name, options) {
  const settings = checkOptions("ordinalLoss", options, ordinalLossDefaults, {
    mu: positive,
    alpha: optional(positive),
    dimensions: integerFrom(1),
  });
  if (!ordinalLossNames.includes(name))
    throw badOption("ordinalLoss", "the name", `one of ${ordinalLossNames.join(", ")}`, name);
  return makers[name](settings);
}

// ../objectives/src/embedding/check-length.ts
function checkLength(name, array, length) {
  if (array.length === length) return;
  throw new CurvatureError("ERR_SHAPE", `${name} must have ${length} entries; received ${array.length}.`, {
    path: name,
    expected: `${length} entries`,
    received: array.length,
  });
}

// ../objectives/src/ordinal/comparison-sum.ts
var BLOCK3 = 256;
var ComparisonTerms = class {
  dimension;
  count;
  objects;
  dimensions;
  quadruplets;
  loss;
  shares;
  ridgeShares;
  fingerprint;
  order = new Int32Array(BLOCK3);
  d1 = new Float64Array(BLOCK3);
  d2 = new Float64Array(BLOCK3);
  l = new Float64Array(BLOCK3);
  a = new Float64Array(BLOCK3);
  c = new Float64Array(BLOCK3);
  rowsOfTerm = new Int32Array(4);
  constructor(comparisons, loss, dimensions, ridge, fingerprint) {
    this.objects = comparisons.objects;
    this.dimensions = dimensions;
    this.dimension = comparisons.objects * dimensions;
    this.count = comparisonCount(comparisons);
    this.quadruplets = comparisons.quadruplets;
    this.loss = loss;
    this.fingerprint = fingerprint;
    this.shares = comparisons.weights === void 0 ? void 0 : sharesOf(comparisons.weights);
    this.ridgeShares = ridge === 0 ? void 0 : this.ridgeSharesOf(ridge / comparisons.objects);
  }
  evaluate(index, X, gradient) {
    this.order[0] = index;
    return this.begin(X, gradient) + this.block(1, X, gradient) + this.ridgeOfBlock(1, X, gradient);
  }
  evaluateBatch(indices, X, gradient) {
    const { order } = this;
    let value = this.begin(X, gradient);
    for (let start = 0; start < indices.length; start += BLOCK3) {
      const count = Math.min(BLOCK3, indices.length - start);
      for (let k = 0; k < count; k++) order[k] = indices[start + k];
      value += this.block(count, X, gradient) + this.ridgeOfBlock(count, X, gradient);
    }
    return value;
  }
  /** Σ_q s_q l_q of all terms, the ridge left out. */
  evaluateLosses(X, gradient) {
    const { order, count: N } = this;
    let value = this.begin(X, gradient);
    for (let start = 0; start < N; start += BLOCK3) {
      const count = Math.min(BLOCK3, N - start);
      for (let k = 0; k < count; k++) order[k] = start + k;
      value += this.block(count, X, gradient);
    }
    return value;
  }
  evaluateSparse(index, X, coordinates, entries) {
    const { dimensions: p, quadruplets, rowsOfTerm, order, a, c, ridgeShares } = this;
    order[0] = index;
    this.measure(1, X);
    this.loss.values(1, this.d1, this.d2, this.l);
    this.loss.slopes(1, this.d1, this.d2, a, c);
    const share = this.shareOf(index);
    let value = share * this.l[0];
    const rows = this.rowsOf(index);
    for (let r = 0; r < rows; r++) {
      const row = rowsOfTerm[r] * p;
      const rho = ridgeShares === void 0 ? 0 : ridgeShares[rowsOfTerm[r]];
      for (let t = 0; t < p; t++) {
        coordinates[r * p + t] = row + t;
        entries[r * p + t] = rho * X[row + t];
        value += 0.5 * rho * X[row + t] * X[row + t];
      }
    }
    const near = 2 * share * a[0];
    const far = 2 * share * c[0];
    const at = 4 * index;
    const i = quadruplets[at];
    const j = quadruplets[at + 1];
    const l = quadruplets[at + 2];
    const k = quadruplets[at + 3];
    const placeL = (l === i ? 0 : l === j ? 1 : 2) * p;
    const placeK = (k === i ? 0 : k === j ? 1 : rows - 1) * p;
    for (let t = 0; t < p; t++) {
      const u = near * (X[i * p + t] - X[j * p + t]);
      const w = far * (X[l * p + t] - X[k * p + t]);
      entries[t] += u;
      entries[p + t] -= u;
      entries[placeL + t] += w;
      entries[placeK + t] -= w;
    }
    return { value, touched: rows * p };
  }
  begin(X, gradient) {
    checkLength("X", X, this.dimension);
    if (gradient !== void 0) {
      checkLength("the gradient", gradient, this.dimension);
      gradient.fill(0);
    }
    return 0;
  }
  shareOf(index) {
    return this.shares === void 0 ? 1 / this.count : this.shares[index];
  }
  /** d₁ and d₂ of the first `count` terms in `order`. */
  measure(count, X) {
    const { quadruplets, order, d1, d2, dimensions: p } = this;
    for (let q = 0; q < count; q++) {
      const at = 4 * order[q];
      const i = quadruplets[at] * p;
      const j = quadruplets[at + 1] * p;
      const l = quadruplets[at + 2] * p;
      const k = quadruplets[at + 3] * p;
      let near = 0;
      let far = 0;
      for (let t = 0; t < p; t++) {
        const u = X[i + t] - X[j + t];
        const w = X[l + t] - X[k + t];
        near += u * u;
        far += w * w;
      }
      d1[q] = near;
      d2[q] = far;
    }
  }
  /** Σ s l of the first `count` terms in `order`, and their gradients added to `gradient`. */
  block(count, X, gradient) {
    const { order, l, a, c, d1, d2, shares, loss } = this;
    this.measure(count, X);
    loss.values(count, d1, d2, l);
    const even = 1 / this.count;
    let value = 0;
    for (let q = 0; q < count; q++) value += (shares === void 0 ? even : shares[order[q]]) * l[q];
    if (gradient === void 0) return value;
    loss.slopes(count, d1, d2, a, c);
    for (let q = 0; q < count; q++) {
      const twice = 2 * (shares === void 0 ? even : shares[order[q]]);
      a[q] *= twice;
      c[q] *= twice;
    }
    this.scatter(count, X, gradient);
    return value;
  }
  scatter(count, X, gradient) {
    const { quadruplets, order, a, c, dimensions: p } = this;
    for (let q = 0; q < count; q++) {
      const at = 4 * order[q];
      const i = quadruplets[at] * p;
      const j = quadruplets[at + 1] * p;
      const l = quadruplets[at + 2] * p;
      const k = quadruplets[at + 3] * p;
      const near = a[q];
      const far = c[q];
      for (let t = 0; t < p; t++) {
        const u = near * (X[i + t] - X[j + t]);
        const w = far * (X[l + t] - X[k + t]);
        gradient[i + t] += u;
        gradient[j + t] -= u;
        gradient[l + t] += w;
        gradient[k + t] -= w;
      }
    }
  }
  ridgeOfBlock(count, X, gradient) {
    const { ridgeShares, rowsOfTerm, order, dimensions: p } = this;
    if (ridgeShares === void 0) return 0;
    let value = 0;
    for (let q = 0; q < count; q++) {
      const rows = this.rowsOf(order[q]);
      for (let r = 0; r < rows; r++) {
        const rho = ridgeShares[rowsOfTerm[r]];
        const start = rowsOfTerm[r] * p;
        for (let at = start; at < start + p; at++) {
          value += 0.5 * rho * X[at] * X[at];
          if (gradient !== void 0) gradient[at] += rho * X[at];
        }
      }
    }
    return value;
  }
  /** Writes the different rows of a term, and says how many they are. */
  rowsOf(index) {
    const { quadruplets, rowsOfTerm } = this;
    const at = 4 * index;
    const i = quadruplets[at];
    const j = quadruplets[at + 1];
    const l = quadruplets[at + 2];
    const k = quadruplets[at + 3];
    let rows = 2;
    rowsOfTerm[0] = i;
    rowsOfTerm[1] = j;
    if (l !== i && l !== j) rowsOfTerm[rows++] = l;
    if (k !== i && k !== j) rowsOfTerm[rows++] = k;
    return rows;
  }
  ridgeSharesOf(perRow) {
    const shares = new Float64Array(this.objects);
    for (let q = 0; q < this.count; q++) {
      const rows = this.rowsOf(q);
      for (let r = 0; r < rows; r++) shares[this.rowsOfTerm[r]]++;
    }
    for (let r = 0; r < shares.length; r++) shares[r] = shares[r] > 0 ? perRow / shares[r] : 0;
    return shares;
  }
};
function sharesOf(weights) {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

// ../objectives/src/ordinal/objective.ts
var ordinalObjectiveDefaults = Object.freeze({ ridge: 0, mu: 0.05, alpha: void 0 });
function ordinalObjective(comparisons, loss, dimensions, options) {
  const { ridge, mu, alpha } = checkOptions("ordinalObjective", options, ordinalObjectiveDefaults, {
    ridge: nonNegative,
    mu: positive,
    alpha: optional(positive),
  });
  checkComparisons(comparisons);
  checkDimensions(dimensions, comparisons.objects);
  const used =
    typeof loss === "string"
      ? ordinalLoss(loss, { mu, dimensions, ...(alpha === void 0 ? {} : { alpha }) })
      : loss;
  checkLoss(used);
  const fingerprint = fingerprintOf(
    "ordinal",
    used.description,
    comparisons.objects,
    dimensions,
    ridge,
    comparisons.quadruplets,
    comparisons.weights ?? "even",
  );
  return new MeanLoss(comparisons, used, dimensions, ridge, fingerprint);
}
var MeanLoss = class {
  constructor(comparisons, loss, dimensions, ridge, fingerprint) {
    this.comparisons = comparisons;
    this.loss = loss;
    this.dimensions = dimensions;
    this.ridge = ridge;
    this.fingerprint = fingerprint;
    this.sum = new ComparisonTerms(comparisons, loss, dimensions, ridge, fingerprint);
    this.dimension = this.sum.dimension;
  }
  comparisons;
  loss;
  dimensions;
  ridge;
  fingerprint;
  dimension;
  sum;
  evaluate(X, gradient) {
    return this.sum.evaluateLosses(X, gradient) + this.evaluateRidge(X, gradient);
  }
  evaluateRidge(X, gradient) {
    const { ridgeShares } = this.sum;
    if (ridgeShares === void 0) return 0;
    const p = this.dimensions;
    const perRow = this.ridge / this.comparisons.objects;
    let squares = 0;
    for (let r = 0; r < ridgeShares.length; r++) {
      if (ridgeShares[r] === 0) continue;
      for (let at = r * p; at < (r + 1) * p; at++) {
        squares += X[at] * X[at];
        if (gradient !== void 0) gradient[at] += perRow * X[at];
      }
    }
    return 0.5 * perRow * squares;
  }
};
function errorShare(comparisons, X) {
  checkIndices(comparisons);
  const { objects, quadruplets, weights } = comparisons;
  const p = X instanceof Float64Array ? X.length / objects : 0;
  if (!Number.isSafeInteger(p) || p < 1)
    throw new CurvatureError(
      "ERR_SHAPE",
      `X must be a Float64Array with the same number of coordinates for each of the ${objects} objects; received ${shown(X)}.`,
      { path: "X", received: X },
    );
  if (quadruplets.length === 0)
    throw new CurvatureError("ERR_SHAPE", "There are no comparisons, so no share of them can be wrong.", {
      path: "quadruplets",
    });
  let errors = 0;
  let total = 0;
  for (let at = 0; at < quadruplets.length; at += 4) {
    const weight = weights === void 0 ? 1 : weights[at / 4];
    const near = squaredDistance2(X, p, quadruplets[at], quadruplets[at + 1]);
    const far = squaredDistance2(X, p, quadruplets[at + 2], quadruplets[at + 3]);
    if (!(near < far)) errors += weight;
    total += weight;
  }
  return errors / total;
}
function squaredDistance2(X, p, i, j) {
  let sum = 0;
  for (let t = 0; t < p; t++) {
    const u = X[i * p + t] - X[j * p + t];
    sum += u * u;
  }
  return sum;
}
function checkDimensions(dimensions, objects) {
  if (Number.isSafeInteger(dimensions) && Number(dimensions) >= 1 && Number(dimensions) * objects < 2 ** 31)
    return;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `ordinalObjective: dimensions must be a whole number of at least 1, and less than 2^31 coordinates in all; received ${shown(dimensions)}.`,
    { path: "dimensions", expected: "a whole number of at least 1", received: dimensions },
  );
}
function checkLoss(loss) {
  const isLoss =
    typeof loss === "object" &&
    loss !== null &&
    "description" in loss &&
    typeof loss.description === "string" &&
    "values" in loss &&
    typeof loss.values === "function" &&
    "slopes" in loss &&
    typeof loss.slopes === "function";
  if (!isLoss)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `ordinalObjective: the loss must be a name or come from ordinalLoss; received ${shown(loss)}.`,
      { path: "loss", received: loss },
    );
}

// src/auto/spectral-start.ts
var TOLERANCE = 1e-6;
var MOST_PRODUCTS = 2e3;
function spectralStart(comparisons, dimensions) {
  const { objects: n } = comparisons;
  const p = dimensions;
  const { S, D } = comparisonLaplacian(comparisons);
  const root2 = D.map((count) => (count > 0 ? 1 / Math.sqrt(count) : 0));
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) S.data[i * n + j] *= root2[i] * root2[j];
  const pairs = largestPairs((v, out) => matrixTimesVector(S, v, out), n, p);
  if (pairs === void 0 || !(pairs.values[0] > 0)) return void 0;
  const { values, vectors } = pairs;
  const X = new Float64Array(n * p);
  for (let t = 0; t < p; t++) {
    const length = Math.sqrt(Math.max(values[t], 1e-3 * values[0]));
    for (let i = 0; i < n; i++) X[i * p + t] = root2[i] * length * vectors.data[t * n + i];
  }
  return normalize(X, p) ? X : void 0;
}
function comparisonLaplacian({ objects: n, quadruplets, weights }) {
  const S = zeros(n, n);
  const D = new Float64Array(n);
  const join = (a, b, weight) => {
    S.data[a * n + b] -= weight;
    S.data[b * n + a] -= weight;
    S.data[a * n + a] += weight;
    S.data[b * n + b] += weight;
    D[a] += Math.abs(weight);
    D[b] += Math.abs(weight);
  };
  for (let q = 0; 4 * q < quadruplets.length; q++) {
    const weight = weights === void 0 ? 1 : weights[q];
    join(quadruplets[4 * q], quadruplets[4 * q + 1], -weight);
    join(quadruplets[4 * q + 2], quadruplets[4 * q + 3], weight);
  }
  return { S, D };
}
function largestPairs(apply, n, count) {
  try {
    return lanczos(apply, n, { count, which: "largest", tolerance: TOLERANCE, maxProducts: MOST_PRODUCTS });
  } catch (error) {
    if (error instanceof CurvatureError && error.code === "ERR_NO_CONVERGENCE") return void 0;
    throw error;
  }
}
function normalize(X, p) {
  centre(X, p);
  let squares = 0;
  for (let k = 0; k < X.length; k++) squares += X[k] * X[k];
  const size = Math.sqrt(squares / X.length);
  if (!(size > 0 && size < Number.POSITIVE_INFINITY)) return false;
  for (let k = 0; k < X.length; k++) X[k] /= size;
  return true;
}
function centre(X, p) {
  const n = X.length / p;
  const mean = new Float64Array(p);
  for (let k = 0; k < X.length; k++) mean[k % p] += X[k] / n;
  for (let k = 0; k < X.length; k++) X[k] -= mean[k % p];
}

// src/auto/first-maps.ts
var NOISE = 0.03;
var SPECTRAL_BELOW = 1e3;
function firstMaps(objective, first, seed) {
  const { comparisons, dimensions, dimension } = objective;
  const spectral = first.kind === "spectral" ? spectralStart(comparisons, dimensions) : void 0;
  if (spectral !== void 0) scaleByValue(spectral, objective);
  const begin = first.kind === "given" ? first.map.data : spectral;
  return {
    isSpectral: spectral !== void 0,
    first: (start) =>
      start === 0 && begin !== void 0 ? begin.slice() : randomMap(dimension, dimensions, start, seed),
  };
}
function randomMap(dimension, dimensions, start, seed) {
  const random = new RandomGenerator(seed);
  const X = new Float64Array(dimension);
  for (let k = 0; k <= start; k++) fillNormal(random, X);
  centre(X, dimensions);
  return X.map((x) => NOISE * x);
}
function scaleByValue(X, objective) {
  const scaled = new Float64Array(X.length);
  let best = 1;
  let least = Number.POSITIVE_INFINITY;
  for (let factor = 2 ** -5; factor <= 2 ** 3; factor *= 2) {
    for (let k = 0; k < X.length; k++) scaled[k] = factor * X[k];
    const value = objective.evaluate(scaled);
    if (value < least) {
      least = value;
      best = factor;
    }
  }
  for (let k = 0; k < X.length; k++) X[k] *= best;
}

// src/auto/quick-fit.ts
function quickFit(comparisons, given) {
  const { loss, dimensions, ridge, iterations, seed, mu, alpha, from } = given;
  const objective = ordinalObjective(comparisons, loss, dimensions, {
    ridge,
    ...(mu === void 0 ? {} : { mu }),
    ...(alpha === void 0 ? {} : { alpha }),
  });
  const kind = comparisons.objects < SPECTRAL_BELOW ? "spectral" : "random";
  const X = from ?? firstMaps(objective, { kind }, seed).first(0);
  return runSync(new Lbfgs(objective, X), { stop: maxIterations(iterations) }).x;
}

// src/check-objective.ts
function checkObjective(where, objective) {
  const isObjective =
    typeof objective === "object" && objective !== null && "comparisons" in objective && "sum" in objective;
  if (!isObjective) throw badOption(where, "the objective", "an objective of ordinalObjective", objective);
}

// src/step-size/barzilai-borwein.ts
function barzilaiBorwein(dXdX, dXdG) {
  return dXdX / dXdG;
}

// src/step-size/stabilized.ts
function stabilized(dXdX, dXdG, epsilon) {
  return dXdX / (Math.abs(dXdG) + epsilon * dXdX);
}

// src/epoch-step.ts
var DEFAULT_EPSILON = 0.05;
var GROWTH_WITHOUT_EPSILON = 1e4;
var EpochStep = class {
  constructor(options) {
    this.options = options;
  }
  options;
  /** 0 before the first step is known. */
  B = 0;
  epsilon;
  maxStep = Number.POSITIVE_INFINITY;
  takeFirst(B) {
    const { usualEpsilon, maxStep } = this.options;
    const usual = usualEpsilon === void 0 ? DEFAULT_EPSILON / B : Math.min(usualEpsilon, 1 / B);
    const { epsilon = usual } = this.options;
    this.epsilon = epsilon;
    this.maxStep = maxStep ?? (epsilon > 0 ? 1 / epsilon : GROWTH_WITHOUT_EPSILON * B);
    this.B = this.limited(B);
  }
  /** After `epoch` epochs; a secant without a length or without a finite step keeps B, and so does a new module. */
  follow(epoch, dXdX, dXdG) {
    const { stepRule, restartEvery } = this.options;
    const isForgotten = restartEvery > 0 && epoch % restartEvery === 0;
    if (stepRule === "fixed" || isForgotten || !(dXdX > 0)) return;
    const B = stepRule === "bb" ? barzilaiBorwein(dXdX, dXdG) : stabilized(dXdX, dXdG, this.epsilon ?? 0);
    if (Number.isFinite(B) && B !== 0) this.B = this.limited(B);
  }
  /** After an epoch that went too far, the secant to where it led. */
  shorten(dXdX, dXdG) {
    const B = Math.abs(this.B);
    const next = stabilized(dXdX, dXdG, this.epsilon ?? 0);
    this.B = Number.isFinite(next) ? Math.min(B / 2, Math.max(B / 10, next)) : B / 10;
  }
  limited(B) {
    return Math.max(-this.maxStep, Math.min(this.maxStep, B));
  }
  save() {
    return { B: this.B, epsilon: this.epsilon ?? null, maxStep: this.maxStep };
  }
  /** Reads what `save` wrote; takes it when the function returned is called. */
  reader(state) {
    const B = state.number("B");
    const epsilon = state.optionalNumber("epsilon");
    const maxStep = state.number("maxStep");
    return () => {
      this.B = B;
      this.epsilon = epsilon;
      this.maxStep = maxStep;
    };
  }
};

// src/draw.ts
function draw(random, count) {
  return Math.floor(random.next() * (count / 4294967296));
}

// src/inner/sparse.ts
function isSparse2(sum) {
  return typeof sum.evaluateSparse === "function";
}
var SparseInnerLoop = class {
  constructor(sum, batchSize) {
    this.sum = sum;
    const { dimension } = sum;
    this.paid = new Int32Array(dimension);
    this.indices = new Int32Array(batchSize);
    this.coordinates = new Int32Array(dimension);
    this.entries = new Float64Array(dimension);
    this.correction = new Float64Array(dimension);
    this.touched = new Int32Array(dimension);
    this.mark = new Uint8Array(dimension);
  }
  sum;
  paid;
  indices;
  /** What one term writes. */
  coordinates;
  entries;
  /** Σ of the batch's corrections, and which coordinates have one. */
  correction;
  touched;
  mark;
  run(batches, X, at, h, random) {
    const { sum, paid, indices, correction, touched, mark } = this;
    const { gradient: g } = at;
    const factor = (h * sum.count) / indices.length;
    paid.fill(0);
    correction.fill(0);
    mark.fill(0);
    for (let t = 0; t < batches; t++) {
      for (let k = 0; k < indices.length; k++) indices[k] = draw(random, sum.count);
      let size = 0;
      for (let k = 0; k < indices.length; k++) size = this.addAtSnapshot(indices[k], at.x, size);
      for (let k = 0; k < size; k++) {
        const i = touched[k];
        X[i] -= (t - paid[i]) * h * g[i];
        paid[i] = t;
      }
      for (let k = 0; k < indices.length; k++) this.addAtIterate(indices[k], X);
      for (let k = 0; k < size; k++) {
        const i = touched[k];
        X[i] -= factor * correction[i];
        correction[i] = 0;
        mark[i] = 0;
      }
    }
    for (let i = 0; i < X.length; i++) X[i] -= (batches - paid[i]) * h * g[i];
  }
  addAtSnapshot(index, x, before) {
    const { sum, coordinates, entries, correction, touched, mark } = this;
    const count = sum.evaluateSparse(index, x, coordinates, entries).touched;
    let size = before;
    for (let k = 0; k < count; k++) {
      const i = coordinates[k];
      correction[i] -= entries[k];
      if (mark[i] === 1) continue;
      mark[i] = 1;
      touched[size++] = i;
    }
    return size;
  }
  addAtIterate(index, X) {
    const { sum, coordinates, entries, correction, mark } = this;
    const count = sum.evaluateSparse(index, X, coordinates, entries).touched;
    for (let k = 0; k < count; k++) {
      const i = coordinates[k];
      if (mark[i] === 0) throw wandering(index, i);
      correction[i] += entries[k];
    }
  }
};
function wandering(index, coordinate) {
  return new CurvatureError(
    "ERR_ARGUMENT",
    `Svrg: evaluateSparse of term ${index} touched coordinate ${coordinate} at one point and not at another. A term must name the same coordinates everywhere, with zeros where its gradient has them; or leave evaluateSparse out.`,
    { path: "evaluateSparse" },
  );
}

// src/number-from.ts
function numberFrom(where, value) {
  if (typeof value === "number") return value;
  Promise.resolve(value).then(void 0, () => void 0);
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `${where}: an evaluation of the sum returned something else than a number. The terms must be evaluated at once, not by promises.`,
    { path: "evaluate", expected: "a number", received: value },
  );
}

// src/full-gradient.ts
var FullGradient = class {
  constructor(sum) {
    this.sum = sum;
    const { dimension } = sum;
    const hasBatch = sum.evaluateBatch !== void 0;
    this.part = new Float64Array(dimension);
    this.term = new Float64Array(hasBatch ? 0 : dimension);
    this.coordinates = new Int32Array(hasBatch || !isSparse2(sum) ? 0 : dimension);
  }
  sum;
  part;
  term;
  coordinates;
  indices = new Int32Array(0);
  /** Adds the gradients of the terms from `start` to `end` − 1 to `gradient`; returns the sum of their values. */
  add(start, end, x, gradient) {
    const { part } = this;
    const value = this.evaluate(start, end, x);
    for (let i = 0; i < part.length; i++) gradient[i] += part[i];
    return value;
  }
  evaluate(start, end, x) {
    const { sum, part, term, coordinates } = this;
    if (sum.evaluateBatch !== void 0) {
      if (this.indices.length !== end - start) this.indices = new Int32Array(end - start);
      const { indices } = this;
      for (let k = 0; k < indices.length; k++) indices[k] = start + k;
      return numberFrom("Svrg", sum.evaluateBatch(indices, x, part));
    }
    part.fill(0);
    let value = 0;
    for (let index = start; index < end; index++) {
      if (isSparse2(sum)) {
        const evaluation = sum.evaluateSparse(index, x, coordinates, term);
        value += evaluation.value;
        for (let k = 0; k < evaluation.touched; k++) part[coordinates[k]] += term[k];
      } else {
        value += numberFrom("Svrg", sum.evaluate(index, x, term));
        for (let i = 0; i < part.length; i++) part[i] += term[i];
      }
    }
    return value;
  }
};

// src/inner/comparisons.ts
function isComparisonSum(sum) {
  return "quadruplets" in sum && sum.quadruplets instanceof Int32Array && "loss" in sum;
}
var ComparisonInnerLoop = class {
  constructor(sum, batchSize) {
    this.sum = sum;
    const b = batchSize;
    const { objects, dimensions: p } = sum;
    this.b = b;
    this.paid = new Int32Array(objects);
    this.places = new Int32Array(4 * b);
    this.terms = new Int32Array(b);
    [this.d1, this.d2, this.a, this.c, this.aSnapshot, this.cSnapshot] = Array.from(
      { length: 6 },
      () => new Float64Array(b),
    );
    this.differences = new Float64Array(2 * b * p);
    this.differencesSnapshot = new Float64Array(2 * b * p);
    this.ridgeDeltas = new Float64Array(sum.ridgeShares === void 0 ? 0 : 4 * b * p);
  }
  sum;
  b;
  paid;
  /** The rows' places in X, i p, j p, l p, k p, of the batch. */
  places;
  terms;
  d1;
  d2;
  a;
  c;
  aSnapshot;
  cSnapshot;
  /** xᵢ − xⱼ and x_l − x_k of the batch, entry by entry, at the iterate and at the snapshot. */
  differences;
  differencesSnapshot;
  /** The ridge's corrections of four rows. */
  ridgeDeltas;
  run(batches, X, at, h, random) {
    const { sum, b, paid, d1, d2 } = this;
    const p = sum.dimensions;
    const g = at.gradient;
    paid.fill(0);
    for (let t = 0; t < batches; t++) {
      this.drawBatch(t, X, g, h, random);
      this.measure(at.x, this.differencesSnapshot);
      sum.loss.slopes(b, d1, d2, this.aSnapshot, this.cSnapshot);
      this.measure(X, this.differences);
      sum.loss.slopes(b, d1, d2, this.a, this.c);
      if (sum.ridgeShares !== void 0) this.measureRidge(sum.ridgeShares, X, at.x, h);
      this.correct(X, h);
      if (sum.ridgeShares !== void 0) this.applyRidge(X);
    }
    for (let r = 0; r < paid.length; r++) {
      const owed = (batches - paid[r]) * h;
      for (let i = r * p; i < (r + 1) * p; i++) X[i] -= owed * g[i];
    }
  }
  /** Draws b terms and brings their rows up to date. */
  drawBatch(t, X, g, h, random) {
    const { b, paid, places, terms, sum } = this;
    const { quadruplets, dimensions: p, count } = sum;
    for (let q = 0; q < b; q++) {
      const term = draw(random, count);
      terms[q] = term;
      for (let e = 0; e < 4; e++) {
        const r = quadruplets[4 * term + e];
        const place = r * p;
        places[4 * q + e] = place;
        if (paid[r] === t) continue;
        const owed = (t - paid[r]) * h;
        paid[r] = t;
        for (let i = place; i < place + p; i++) X[i] -= owed * g[i];
      }
    }
  }
  /** d₁, d₂ and the differences of the batch at x. */
  measure(x, differences) {
    const { b, places, d1, d2, sum } = this;
    const p = sum.dimensions;
    for (let q = 0, at = 0; q < b; q++) {
      const i = places[4 * q];
      const j = places[4 * q + 1];
      const l = places[4 * q + 2];
      const k = places[4 * q + 3];
      let near = 0;
      let far = 0;
      for (let e = 0; e < p; e++) {
        const u = x[i + e] - x[j + e];
        const w = x[l + e] - x[k + e];
        differences[at++] = u;
        differences[at++] = w;
        near += u * u;
        far += w * w;
      }
      d1[q] = near;
      d2[q] = far;
    }
  }
  correct(X, h) {
    const { b, places, terms, a, c, aSnapshot, cSnapshot, differences, differencesSnapshot, sum } = this;
    const { dimensions: p, shares, count } = sum;
    const even = (2 * h) / b;
    for (let q = 0, at = 0; q < b; q++) {
      const i = places[4 * q];
      const j = places[4 * q + 1];
      const l = places[4 * q + 2];
      const k = places[4 * q + 3];
      const factor = shares === void 0 ? even : even * count * shares[terms[q]];
      const aq = factor * a[q];
      const cq = factor * c[q];
      const as = factor * aSnapshot[q];
      const cs = factor * cSnapshot[q];
      for (let e = 0; e < p; e++, at += 2) {
        const u = aq * differences[at] - as * differencesSnapshot[at];
        const w = cq * differences[at + 1] - cs * differencesSnapshot[at + 1];
        X[i + e] -= u;
        X[j + e] += u;
        X[l + e] -= w;
        X[k + e] += w;
      }
    }
  }
  /** (h N / b) ρ_r (x_r − x̃_r), once for each different row of a term. */
  measureRidge(rho, X, xs, h) {
    const { b, places, ridgeDeltas, sum } = this;
    const p = sum.dimensions;
    const factor = (h * sum.count) / b;
    for (let q = 0; q < b; q++)
      for (let e = 0; e < 4; e++) {
        const place = places[4 * q + e];
        const isSeen = e >= 2 && (place === places[4 * q] || place === places[4 * q + 1]);
        const weight = isSeen ? 0 : factor * rho[place / p];
        const to = (4 * q + e) * p;
        for (let t = 0; t < p; t++) ridgeDeltas[to + t] = weight * (X[place + t] - xs[place + t]);
      }
  }
  applyRidge(X) {
    const { places, ridgeDeltas, sum } = this;
    const p = sum.dimensions;
    for (let e = 0; e < places.length; e++)
      for (let t = 0; t < p; t++) X[places[e] + t] -= ridgeDeltas[e * p + t];
  }
};

// src/inner/dense.ts
var DenseInnerLoop = class {
  constructor(sum, batchSize) {
    this.sum = sum;
    this.indices = new Int32Array(batchSize);
    this.correction = new Float64Array(sum.dimension);
    this.term = new Float64Array(sum.dimension);
  }
  sum;
  indices;
  correction;
  term;
  run(batches, X, at, h, random) {
    const { sum, indices, correction } = this;
    const { gradient: g } = at;
    const factor = sum.count / indices.length;
    for (let t = 0; t < batches; t++) {
      for (let k = 0; k < indices.length; k++) indices[k] = draw(random, sum.count);
      correction.fill(0);
      this.add(1, X);
      this.add(-1, at.x);
      for (let i = 0; i < X.length; i++) X[i] -= h * (g[i] + factor * correction[i]);
    }
  }
  /** Adds `sign` times the gradients of the batch at x to the correction. */
  add(sign, x) {
    const { sum, indices, correction, term } = this;
    if (sum.evaluateBatch !== void 0) {
      numberFrom("Svrg", sum.evaluateBatch(indices, x, term));
      for (let i = 0; i < term.length; i++) correction[i] += sign * term[i];
      return;
    }
    for (let k = 0; k < indices.length; k++) {
      numberFrom("Svrg", sum.evaluate(indices[k], x, term));
      for (let i = 0; i < term.length; i++) correction[i] += sign * term[i];
    }
  }
};

// src/step-size/secant.ts
function secant(x, xGradient, from, fromGradient) {
  let dXdX = 0;
  let dXdG = 0;
  for (let i = 0; i < x.length; i++) {
    const dX = x[i] - from[i];
    dXdX += dX * dX;
    dXdG += dX * (xGradient[i] - fromGradient[i]);
  }
  return { dXdX, dXdG };
}

// src/svrg-options.ts
var svrgDefaults = Object.freeze({
  stepRule: "sbb",
  epsilon: void 0,
  usualEpsilon: void 0,
  initialStep: void 0,
  maxStep: void 0,
  batchSize: 20,
  epochLength: void 0,
  keepBest: true,
  restartEvery: 0,
  seed: 0,
});
function svrgSettings(options) {
  return checkOptions("Svrg", options, svrgDefaults, {
    stepRule: oneOf("sbb", "bb", "fixed"),
    epsilon: optional(nonNegative),
    usualEpsilon: optional(positive),
    initialStep: optional(positive),
    maxStep: optional(positive),
    batchSize: integerFrom(1),
    epochLength: optional(integerFrom(1)),
    keepBest: flag,
    restartEvery: integerFrom(0),
    seed: integerFrom(0),
  });
}

// src/svrg.ts
var stages = ["gradient", "probe", "inner"];
var VERSION3 = 2;
var BLOCK4 = 8192;
var MOST_FAILURES = 3;
var MOST_RISES = 10;
var PROBE = 1e-3;
var FIRST_MOVE = 0.5;
var Svrg = class {
  name = "svrg";
  dimension;
  fingerprint;
  options;
  N;
  b;
  /** T, iterations of an epoch. */
  T;
  gradientBlock;
  innerBlock;
  full;
  inner;
  random;
  rule;
  stage = "gradient";
  /** Terms of a full gradient, or iterations of an inner loop, that are done. */
  done = 0;
  x;
  snapshot;
  gradient;
  /** The full gradient that is being added up, and its value. */
  nextGradient;
  nextValue = 0;
  /** X before the block, or the probe's point. */
  spare;
  bestX;
  bestValue;
  index = 0;
  epoch = 0;
  /** Loops in a row that ended in numbers that are not finite, and above F(X₀). */
  failures = 0;
  rises = 0;
  /** F(X₀) */
  firstValue;
  value;
  gradientNorm;
  relativeChange;
  evaluations = 0;
  outcome;
  /**
   * @param x - X₀, the first point; copied
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE
   */
  constructor(sum, x, options) {
    checkSum("Svrg", sum);
    checkPoint("Svrg", x, sum.dimension);
    this.options = svrgSettings(options);
    const { dimension, count } = sum;
    const { epochLength = count, batchSize, seed } = this.options;
    this.dimension = dimension;
    this.fingerprint = sum.fingerprint ?? fingerprintOf("sum", dimension, count);
    this.N = count;
    this.b = Math.min(batchSize, epochLength, count);
    this.T = Math.floor(epochLength / this.b);
    const isDense = !isSparse2(sum);
    this.gradientBlock = isDense
      ? Math.max(1, Math.min(BLOCK4, Math.floor(2 ** 21 / dimension)))
      : Math.max(BLOCK4, dimension >> 3);
    this.innerBlock = Math.max(1, Math.floor(this.gradientBlock / (2 * this.b)));
    this.full = new FullGradient(sum);
    this.inner = isComparisonSum(sum)
      ? new ComparisonInnerLoop(sum, this.b)
      : isSparse2(sum)
        ? new SparseInnerLoop(sum, this.b)
        : new DenseInnerLoop(sum, this.b);
    this.random = new RandomGenerator(seed);
    this.rule = new EpochStep(this.options);
    this.x = x.slice();
    this.snapshot = x.slice();
    this.gradient = new Float64Array(dimension);
    this.nextGradient = new Float64Array(dimension);
    this.spare = new Float64Array(dimension);
    this.bestX = x.slice();
  }
  get best() {
    return this.options.keepBest
      ? { x: this.bestX, value: this.bestValue }
      : { x: this.snapshot, value: this.value };
  }
  get last() {
    const isSnapshot3 = this.stage === "inner" && this.done === 0;
    return { x: this.x, value: isSnapshot3 ? this.value : void 0 };
  }
  step() {
    if (this.outcome !== void 0) return this.iteration("snapshot");
    const phase = this.advance();
    this.index++;
    return this.iteration(phase);
  }
  advance() {
    if (this.stage === "inner") return this.advanceInner();
    if (this.stage === "probe") {
      this.placeProbe();
      if (this.advanceGradient(this.spare)) this.finishProbe();
      return "probe";
    }
    if (!this.advanceGradient(this.x)) return "full gradient";
    return this.finishGradient() ? "snapshot" : "full gradient";
  }
  /** @returns whether the gradient is complete */
  advanceGradient(at) {
    const { N, done } = this;
    if (done === 0) {
      this.nextGradient.fill(0);
      this.nextValue = 0;
    }
    const end = Math.min(N, done + this.gradientBlock);
    this.nextValue += this.full.add(done, end, at, this.nextGradient);
    this.evaluations += end - done;
    this.done = end;
    return end === N;
  }
  /** @returns whether `x` became the snapshot */
  finishGradient() {
    this.done = 0;
    const norm = norm2(this.nextGradient);
    if (!Number.isFinite(this.nextValue) || !Number.isFinite(norm)) {
      this.epoch = Math.max(0, this.epoch - 1);
      this.fail();
      return false;
    }
    this.firstValue ??= this.nextValue;
    if (this.nextValue > this.firstValue) {
      this.epoch--;
      this.refuse();
      return false;
    }
    this.failures = 0;
    this.rises = 0;
    this.followSecant();
    this.snapshot.set(this.x);
    [this.gradient, this.nextGradient] = [this.nextGradient, this.gradient];
    this.value = this.nextValue;
    this.gradientNorm = norm;
    if (this.bestValue === void 0 || this.value < this.bestValue) {
      this.bestValue = this.value;
      this.bestX.set(this.x);
    }
    this.stage = "inner";
    if (norm === 0) this.outcome = { status: "converged", message: "The gradient is zero." };
    else if (this.rule.B === 0) this.chooseFirstStep();
    return true;
  }
  /** B from the secant between the last snapshot and the new one, which is still in `x` and `nextGradient`. */
  followSecant() {
    const { x, snapshot, gradient, nextGradient } = this;
    if (this.epoch === 0) return;
    const { dXdX, dXdG } = secant(x, nextGradient, snapshot, gradient);
    this.relativeChange = Math.sqrt(dXdX) / norm2(snapshot);
    this.rule.follow(this.epoch, dXdX, dXdG);
  }
  chooseFirstStep() {
    const { initialStep } = this.options;
    if (initialStep === void 0) this.stage = "probe";
    else this.rule.takeFirst(initialStep);
  }
  /** X̃ − t g into `spare`. */
  placeProbe() {
    const { spare, snapshot, gradient } = this;
    const t = this.probeLength();
    for (let i = 0; i < spare.length; i++) spare[i] = snapshot[i] - t * gradient[i];
  }
  probeLength() {
    return (PROBE * (norm2(this.snapshot) || 1)) / norm2(this.gradient);
  }
  finishProbe() {
    const { gradient, nextGradient } = this;
    this.done = 0;
    this.stage = "inner";
    const t = this.probeLength();
    let gdG = 0;
    for (let i = 0; i < gradient.length; i++) gdG += gradient[i] * (gradient[i] - nextGradient[i]);
    const curvature = Math.abs(gdG) / (t * dot(gradient, gradient));
    const B = curvature > 0 && Number.isFinite(curvature) ? 1 / curvature : t;
    const size = norm2(this.snapshot);
    this.rule.takeFirst(size > 0 ? Math.min(B, (FIRST_MOVE * size) / norm2(gradient)) : B);
  }
  advanceInner() {
    const { x, spare, random, T, b } = this;
    const words2 = random.save();
    spare.set(x);
    const batches = Math.min(T - this.done, this.innerBlock);
    const h = this.rule.B / T;
    try {
      this.inner.run(batches, x, { x: this.snapshot, gradient: this.gradient }, h, random);
    } catch (error) {
      x.set(spare);
      random.restore(words2);
      throw error;
    }
    this.evaluations += 2 * b * batches;
    this.done += batches;
    if (this.done < T) return "inner";
    this.done = 0;
    if (Number.isFinite(norm2(x))) {
      this.stage = "gradient";
      this.epoch++;
    } else this.fail();
    return "epoch";
  }
  /** Back to the snapshot, with a tenth of the step. */
  fail() {
    this.failures++;
    this.x.set(this.snapshot);
    this.stage = "inner";
    if (this.value === void 0)
      this.outcome = {
        status: "diverged",
        message: `At the first point the value is ${this.nextValue} and the gradient norm ${norm2(this.nextGradient)}. Start where both are finite.`,
      };
    else if (this.failures === MOST_FAILURES)
      this.outcome = {
        status: "diverged",
        message: `Three epochs in a row ended in numbers that are not finite, the last with the step ${this.rule.B}. Give a larger epsilon or a smaller initialStep.`,
      };
    this.rule.B *= 0.1;
  }
  /** Back to the snapshot from above F(X₀), with a step that the curvature on the way there allows. */
  refuse() {
    const { x, snapshot, gradient, nextGradient } = this;
    const { dXdX, dXdG } = secant(x, nextGradient, snapshot, gradient);
    this.rule.shorten(dXdX, dXdG);
    x.set(snapshot);
    this.stage = "inner";
    this.rises++;
    if (this.rises === MOST_RISES)
      this.outcome = {
        status: "stalled",
        message: `${MOST_RISES} epochs in a row, each with a shorter step, ended above the value of the first point.`,
      };
  }
  iteration(phase) {
    const isMeasured = phase === "snapshot";
    return {
      index: this.index,
      value: isMeasured ? this.value : void 0,
      gradientNorm: isMeasured ? this.gradientNorm : void 0,
      stepLength: this.rule.B === 0 ? void 0 : this.rule.B,
      evaluations: this.evaluations,
      gradientEvaluations: this.evaluations,
      monitoringEvaluations: 0,
      passes: this.evaluations / this.N,
      phase,
      details: {
        epoch: this.epoch,
        step: this.rule.B,
        epsilon: this.rule.epsilon,
        snapshotValue: this.value,
        snapshotGradientNorm: this.gradientNorm,
        relativeChange: this.relativeChange,
        failedEpochs: this.failures + this.rises,
      },
      outcome: this.outcome,
    };
  }
  save() {
    return {
      solver: this.name,
      version: VERSION3,
      state: {
        stage: stages.indexOf(this.stage),
        done: this.done,
        x: this.x.slice(),
        snapshot: this.snapshot.slice(),
        gradient: this.gradient.slice(),
        nextGradient: this.nextGradient.slice(),
        nextValue: this.nextValue,
        bestX: this.bestX.slice(),
        bestValue: this.bestValue ?? null,
        index: this.index,
        epoch: this.epoch,
        failures: this.failures,
        rises: this.rises,
        firstValue: this.firstValue ?? null,
        rule: this.rule.save(),
        value: this.value ?? null,
        gradientNorm: this.gradientNorm ?? null,
        relativeChange: this.relativeChange ?? null,
        evaluations: this.evaluations,
        outcome: this.outcome === void 0 ? null : { ...this.outcome },
        random: this.random.save(),
      },
    };
  }
  restore(snapshot) {
    const { dimension } = this;
    const state = openSnapshot(snapshot, this.name, VERSION3);
    const stage = stages[state.integer("stage", 0, stages.length - 1)];
    const done = state.integer("done", 0, Math.max(this.N, this.T) - 1);
    const x = state.float64("x", dimension);
    const at = state.float64("snapshot", dimension);
    const gradient = state.float64("gradient", dimension);
    const nextGradient = state.float64("nextGradient", dimension);
    const nextValue = state.number("nextValue");
    const bestX = state.float64("bestX", dimension);
    const bestValue = state.optionalNumber("bestValue");
    const index = state.integer("index");
    const epoch = state.integer("epoch");
    const failures = state.integer("failures");
    const rises = state.integer("rises");
    const firstValue = state.optionalNumber("firstValue");
    const takeRule = this.rule.reader(state.object("rule"));
    const value = state.optionalNumber("value");
    const gradientNorm = state.optionalNumber("gradientNorm");
    const relativeChange = state.optionalNumber("relativeChange");
    const evaluations = state.integer("evaluations");
    const outcome = state.outcome("outcome");
    this.random.restore(state.uint32("random", 4));
    this.stage = stage;
    this.done = done;
    this.x.set(x);
    this.snapshot.set(at);
    this.gradient.set(gradient);
    this.nextGradient.set(nextGradient);
    this.nextValue = nextValue;
    this.bestX.set(bestX);
    this.bestValue = bestValue;
    this.index = index;
    this.epoch = epoch;
    this.failures = failures;
    this.rises = rises;
    this.firstValue = firstValue;
    takeRule();
    this.value = value;
    this.gradientNorm = gradientNorm;
    this.relativeChange = relativeChange;
    this.evaluations = evaluations;
    this.outcome = outcome;
  }
};

// src/create-solver.ts
var ordinalSolverNames = Object.freeze(["svrg-sbb", "svrg-sbb0", "svrg-bb", "svrg", "sgd", "gd", "lbfgs"]);
var ordinalSolverDefaults = Object.freeze({
  solver: "svrg-sbb",
  seed: 0,
  batchSize: void 0,
  epochLength: void 0,
  epsilon: void 0,
  initialStep: void 0,
  maxStep: void 0,
  decay: 0.01,
  keepBest: true,
  memory: 10,
});
var epsilonTimesObjects = {
  gnmds: 0.1,
  ckl: 0.1,
  ste: 0.1,
  tste: 0.025,
  soe: 0.025,
  logistic: 0.025,
  "smooth-hinge": 0.1,
};
function createOrdinalSolver(objective, X, options) {
  const settings = checkOptions("createOrdinalSolver", options, ordinalSolverDefaults, {
    solver: oneOf(...ordinalSolverNames),
    seed: integerFrom(0),
    batchSize: optional(integerFrom(1)),
    epochLength: optional(integerFrom(1)),
    epsilon: optional(nonNegative),
    initialStep: optional(positive),
    maxStep: optional(positive),
    decay: nonNegative,
    keepBest: flag,
    memory: integerFrom(1),
  });
  checkObjective("createOrdinalSolver", objective);
  switch (settings.solver) {
    case "lbfgs":
      return new Lbfgs(objective, X, { memory: settings.memory });
    case "gd": {
      const { initialStep } = settings;
      return new GradientDescent(objective, X, initialStep === void 0 ? {} : { initialStep });
    }
    case "sgd": {
      const { seed, decay, batchSize = 1, initialStep = 0.5 * objective.comparisons.objects } = settings;
      return sgd(objective.sum, X, { seed, decay, batchSize, initialStep });
    }
    case "svrg-sbb":
    case "svrg-sbb0":
    case "svrg-bb":
    case "svrg":
      return svrg(objective, X, settings, settings.solver);
  }
}
function svrg(objective, X, settings, name) {
  const { objects } = objective.comparisons;
  const { seed, keepBest, batchSize = 20, epochLength, initialStep, epsilon, maxStep } = settings;
  const usualEpsilon = epsilonTimesObjects[objective.loss.name] / objects;
  const isFree = name === "svrg-sbb0" || name === "svrg-bb" || epsilon === 0;
  const exact = isFree
    ? 0
    : name === "svrg"
      ? void 0
      : (epsilon ?? (initialStep === void 0 ? void 0 : usualEpsilon));
  const limit = maxStep ?? (isFree ? 1e4 * objects : void 0);
  return new Svrg(objective.sum, X, {
    stepRule: name === "svrg-bb" ? "bb" : name === "svrg" ? "fixed" : "sbb",
    seed,
    keepBest,
    batchSize,
    ...(exact === void 0 ? { usualEpsilon } : { epsilon: exact }),
    ...(limit === void 0 ? {} : { maxStep: limit }),
    ...(epochLength === void 0 ? {} : { epochLength }),
    ...(initialStep === void 0 ? {} : { initialStep }),
  });
}

// src/embedding-options.ts
var ordinalEmbeddingDefaults = Object.freeze({
  dimensions: 2,
  loss: "soe",
  mu: 0.05,
  alpha: void 0,
  solver: "auto",
  ridge: "auto",
  validation: 0.1,
  restarts: 1,
  initialization: "auto",
  objects: void 0,
  weights: void 0,
  degenerate: "error",
  test: void 0,
  seed: 0,
  maxPasses: void 0,
  maxIterations: void 0,
  maxSeconds: void 0,
  tolerance: 1e-6,
  signal: void 0,
  onIteration: void 0,
  yieldEvery: void 0,
  checkpoint: void 0,
  resume: void 0,
  history: void 0,
});
var objectFor = (expected) => ({
  expected,
  accepts: (value) => typeof value === "object" && value !== null,
});
var aShare = {
  expected: "a number above 0 and at most 0.5",
  accepts: (value) => typeof value === "number" && value > 0 && value <= 0.5,
};
var rules = {
  dimensions: integerFrom(1),
  loss: oneOf(...ordinalLossNames),
  mu: positive,
  alpha: optional(positive),
  solver: oneOf("auto", ...ordinalSolverNames, "gram"),
  ridge: either(oneOf("auto"), nonNegative),
  validation: aShare,
  restarts: integerFrom(1),
  initialization: either(oneOf("auto", "spectral", "random"), objectFor("a map")),
  objects: optional(integerFrom(1)),
  weights: anything,
  degenerate: oneOf("error", "drop", "keep"),
  test: anything,
  seed: integerFrom(0),
  maxPasses: optional(positive),
  maxIterations: optional(integerFrom(1)),
  maxSeconds: optional(nonNegative),
  tolerance: nonNegative,
  signal: anything,
  onIteration: optional(callback),
  yieldEvery: anything,
  checkpoint: optional(objectFor("an object with a function write")),
  resume: anything,
  history: anything,
};
function embeddingSettings(where, options) {
  const { signal, onIteration, yieldEvery, checkpoint, resume, history, ...settings } = checkOptions(
    where,
    options,
    ordinalEmbeddingDefaults,
    rules,
  );
  return settings;
}
function checkDimensions2(where, dimensions, objects) {
  if (dimensions < objects) return;
  throw badOption(
    where,
    "dimensions",
    `at most ${objects - 1}, which hold any ${objects} objects`,
    dimensions,
  );
}

// src/metrics/generalization-error.ts
function generalizationError(answers, embedding) {
  const map = mapWithGaps(embedding);
  const { measured } = readAnswers(answers, {
    where: "generalizationError",
    objects: map.rows,
    degenerate: "keep",
  });
  return errorShare(measured, map.data);
}
function mapWithGaps(embedding) {
  if (typeof embedding === "object" && embedding !== null && "data" in embedding) {
    const { rows, columns, data } = embedding;
    const isWhole = Number.isSafeInteger(rows) && Number.isSafeInteger(columns);
    if (data instanceof Float64Array && isWhole && rows * columns === data.length)
      return { rows, columns, data };
  }
  return toDense(embedding, "embedding");
}

// src/gaps.ts
function withGaps(x, dimensions, placed, objects) {
  if (placed === void 0) return x;
  const all = zeros(objects, dimensions).data.fill(Number.NaN);
  placed.forEach((object, r) => {
    all.set(x.subarray(r * dimensions, (r + 1) * dimensions), object * dimensions);
  });
  return all;
}
function placedMap(given, name, objects, dimensions, placed) {
  const map = mapWithGaps(given);
  if (map.rows !== objects || map.columns !== dimensions)
    throw new CurvatureError(
      "ERR_SHAPE",
      `${name} must be ${objects} x ${dimensions}, a row for each object; received ${map.rows} x ${map.columns}.`,
      { path: name, expected: `${objects} x ${dimensions}`, received: `${map.rows} x ${map.columns}` },
    );
  const rows = placed ?? Int32Array.from({ length: objects }, (_, r) => r);
  const some = zeros(rows.length, dimensions);
  rows.forEach((object, r) => {
    const row = map.data.subarray(object * dimensions, (object + 1) * dimensions);
    if (!row.every(Number.isFinite))
      throw new CurvatureError(
        "ERR_NON_FINITE",
        `${name} has no finite place for object ${object} (counted from 0), of which the answers speak.`,
        { path: `${name}[${object}]` },
      );
    some.data.set(row, r * dimensions);
  });
  return some;
}

// src/metrics/small-svd.ts
var MOST_SWEEPS = 60;
function smallSvd(M) {
  const p = M.rows;
  const W = M.data.slice();
  const V = zeros(p, p);
  for (let t = 0; t < p; t++) V.data[t * p + t] = 1;
  let isDone = false;
  for (let sweep = 0; sweep < MOST_SWEEPS && !isDone; sweep++) {
    isDone = true;
    for (let a = 0; a < p; a++)
      for (let b = a + 1; b < p; b++) if (rotate(W, V.data, p, a, b)) isDone = false;
  }
  const values = Float64Array.from({ length: p }, (_, c) => Math.sqrt(columnsProduct(W, p, c, c)));
  return { U: { rows: p, columns: p, data: basis(W, values, p) }, V, values };
}
function rotate(W, V, p, a, b) {
  const aa = columnsProduct(W, p, a, a);
  const bb = columnsProduct(W, p, b, b);
  const ab = columnsProduct(W, p, a, b);
  if (!(Math.abs(ab) > Number.EPSILON * Math.sqrt(aa * bb))) return false;
  const cot = (bb - aa) / (2 * ab);
  const tan = (cot >= 0 ? 1 : -1) / (Math.abs(cot) + Math.sqrt(1 + cot * cot));
  const cos = 1 / Math.sqrt(1 + tan * tan);
  rotateColumns(W, p, a, b, cos, cos * tan);
  rotateColumns(V, p, a, b, cos, cos * tan);
  return true;
}
function rotateColumns(A, p, a, b, cos, sin) {
  for (let r = 0; r < p; r++) {
    const x = A[r * p + a];
    const y = A[r * p + b];
    A[r * p + a] = cos * x - sin * y;
    A[r * p + b] = sin * x + cos * y;
  }
}
function columnsProduct(A, p, a, b) {
  let sum = 0;
  for (let r = 0; r < p; r++) sum += A[r * p + a] * A[r * p + b];
  return sum;
}
function basis(W, values, p) {
  const U = new Float64Array(p * p);
  const least = Math.max(...values) * p * Number.EPSILON;
  const isSet = Array.from(values, (value) => value > least);
  for (let c = 0; c < p; c++)
    if (isSet[c]) for (let r = 0; r < p; r++) U[r * p + c] = W[r * p + c] / values[c];
  for (let c = 0; c < p; c++) {
    if (isSet[c]) continue;
    complete(U, p, c);
    isSet[c] = true;
  }
  return U;
}
function complete(U, p, c) {
  let row = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let r = 0; r < p; r++) {
    let known = 0;
    for (let t = 0; t < p; t++) known += U[r * p + t] * U[r * p + t];
    if (known < least) {
      least = known;
      row = r;
    }
  }
  U[row * p + c] = 1;
  for (let pass = 0; pass < 2; pass++)
    for (let t = 0; t < p; t++) {
      if (t === c) continue;
      const share = columnsProduct(U, p, t, c);
      for (let r = 0; r < p; r++) U[r * p + c] -= share * U[r * p + t];
    }
  const length = Math.sqrt(columnsProduct(U, p, c, c));
  for (let r = 0; r < p; r++) U[r * p + c] /= length;
}

// src/metrics/procrustes.ts
var procrustesDefaults = Object.freeze({ scaling: true, reflection: true });
function procrustes(target, map, options = {}) {
  const { scaling, reflection } = checkOptions("procrustes", options, procrustesDefaults, {
    scaling: flag,
    reflection: flag,
  });
  const targetMatrix = toDense(target, "target");
  const mapMatrix = toDense(map, "map");
  checkShapes(targetMatrix, mapMatrix);
  const A = centred(targetMatrix, "target");
  const B = centred(mapMatrix, "map");
  const { U, V, values } = smallSvd(transposeMultiply(A.unit, B.unit));
  if (!reflection) turnSmallest(U, V, values);
  const rotation = multiplyTranspose(V, U);
  const trace = values.reduce((sum, value) => sum + value, 0);
  const ratio = A.size / B.size;
  const scale2 = scaling ? ratio * (trace / sumOfSquares(B.unit.data)) : 1;
  const turned2 = multiply(B.unit, rotation);
  const aligned3 = zeros(turned2.rows, turned2.columns);
  let residual = 0;
  for (let k = 0; k < turned2.data.length; k++) {
    const moved = (scale2 / ratio) * turned2.data[k];
    residual += (A.unit.data[k] - moved) ** 2;
    aligned3.data[k] = A.size * moved + A.mean[k % A.mean.length];
  }
  const translation = A.mean.map((mean, t) => {
    let turnedMean = 0;
    for (let s = 0; s < B.mean.length; s++) turnedMean += B.mean[s] * rotation.data[s * B.mean.length + t];
    return mean - scale2 * turnedMean;
  });
  return {
    disparity: residual / sumOfSquares(A.unit.data),
    aligned: aligned3,
    scale: scale2,
    rotation,
    translation,
  };
}
function centred({ rows, columns, data }, name) {
  const mean = new Float64Array(columns);
  for (let k = 0; k < data.length; k++) mean[k % columns] += data[k] / rows;
  const unit = zeros(rows, columns);
  for (let k = 0; k < data.length; k++) unit.data[k] = data[k] - mean[k % columns];
  const size = maxAbs(unit.data);
  const extent = maxAbs(data);
  if (!(size > 8 * Number.EPSILON * extent && size < Number.POSITIVE_INFINITY))
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `procrustes: all points of the ${name} are ${size === Number.POSITIVE_INFINITY ? "too far apart to be measured" : "the same"}.`,
      { path: name },
    );
  for (let k = 0; k < data.length; k++) unit.data[k] /= size;
  return { unit, mean, size };
}
function turnSmallest(U, V, values) {
  if (determinant(multiplyTranspose(V, U)) >= 0) return;
  let smallest = 0;
  for (let t = 1; t < values.length; t++) if (values[t] < values[smallest]) smallest = t;
  values[smallest] = -values[smallest];
  for (let r = 0; r < U.rows; r++) U.data[r * U.columns + smallest] *= -1;
}
function determinant({ rows: p, data }) {
  const A = data.slice();
  let product2 = 1;
  for (let c = 0; c < p; c++) {
    let pivot = c;
    for (let r = c + 1; r < p; r++) if (Math.abs(A[r * p + c]) > Math.abs(A[pivot * p + c])) pivot = r;
    if (pivot !== c) {
      product2 = -product2;
      for (let t = 0; t < p; t++) {
        const kept = A[c * p + t];
        A[c * p + t] = A[pivot * p + t];
        A[pivot * p + t] = kept;
      }
    }
    product2 *= A[c * p + c];
    for (let r = c + 1; r < p; r++) {
      const factor = A[r * p + c] / A[c * p + c];
      for (let t = c; t < p; t++) A[r * p + t] -= factor * A[c * p + t];
    }
  }
  return product2;
}
function sumOfSquares(data) {
  let sum = 0;
  for (let k = 0; k < data.length; k++) sum += data[k] * data[k];
  return sum;
}
function checkShapes(target, map) {
  if (target.rows === map.rows && target.columns === map.columns && target.rows > 0 && target.columns > 0)
    return;
  throw new CurvatureError(
    "ERR_SHAPE",
    `procrustes: target and map must have the same objects and dimensions; received ${target.rows} x ${target.columns} and ${map.rows} x ${map.columns}.`,
    { path: "map", expected: `${target.rows} x ${target.columns}`, received: `${map.rows} x ${map.columns}` },
  );
}

// src/gram/read-out.ts
function coordinatesFromGram(gram2, dimensions) {
  const K = toDense(gram2, "gram");
  const n = K.rows;
  if (!Number.isSafeInteger(dimensions) || dimensions < 1 || dimensions > n)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `coordinatesFromGram: dimensions must be a whole number from 1 to ${n}; received ${shown(dimensions)}.`,
      { path: "dimensions", received: dimensions },
    );
  const { values, vectors } = symmetricEigen(K);
  const X = new Float64Array(n * dimensions);
  for (let t = 0; t < dimensions; t++) {
    const from = n - 1 - t;
    const root2 = Math.sqrt(Math.max(0, values[from]));
    for (let i = 0; i < n; i++) X[i * dimensions + t] = root2 * vectors.data[from * n + i];
  }
  return X;
}

// src/gram/gram-loss.ts
var BLOCK5 = 256;
var GramLoss = class {
  constructor(objective) {
    this.objective = objective;
    const { comparisons, ridge, sum } = objective;
    this.n = comparisons.objects;
    const weight = ridge / (2 * this.n);
    this.ridge = (sum.ridgeShares ?? new Float64Array(0)).map((share) => (share > 0 ? weight : 0));
  }
  objective;
  d1 = new Float64Array(BLOCK5);
  d2 = new Float64Array(BLOCK5);
  a = new Float64Array(BLOCK5);
  c = new Float64Array(BLOCK5);
  values = new Float64Array(BLOCK5);
  /** λ/2n for the objects that occur, else 0; empty without a ridge. */
  ridge;
  n;
  /** F(K), and with an array ∇F(K) into it. */
  evaluate(K, gradient) {
    const { objective, values, n } = this;
    const { sum, loss } = objective;
    gradient?.fill(0);
    let value = 0;
    for (let start = 0; start < sum.count; start += BLOCK5) {
      const count = Math.min(BLOCK5, sum.count - start);
      this.measure(start, count, K);
      loss.values(count, this.d1, this.d2, values);
      for (let q = 0; q < count; q++) value += this.share(start + q) * values[q];
      if (gradient !== void 0) this.addWeights(start, count, gradient);
    }
    for (let r = 0; r < this.ridge.length; r++) value += this.ridge[r] * K[r * n + r];
    if (gradient !== void 0) this.finishGradient(gradient);
    return value;
  }
  share(q) {
    const { shares, count } = this.objective.sum;
    return shares === void 0 ? 1 / count : shares[q];
  }
  measure(start, count, K) {
    const { d1, d2, n } = this;
    const { quadruplets } = this.objective.sum;
    for (let q = 0; q < count; q++) {
      const at = 4 * (start + q);
      d1[q] = distance2(K, n, quadruplets[at], quadruplets[at + 1]);
      d2[q] = distance2(K, n, quadruplets[at + 2], quadruplets[at + 3]);
    }
  }
  /** W, as negative entries off the diagonal. */
  addWeights(start, count, gradient) {
    const { d1, d2, a, c, n } = this;
    const { quadruplets, loss } = this.objective.sum;
    loss.slopes(count, d1, d2, a, c);
    for (let q = 0; q < count; q++) {
      const at = 4 * (start + q);
      const share = this.share(start + q);
      const [i, j, l, k] = [quadruplets[at], quadruplets[at + 1], quadruplets[at + 2], quadruplets[at + 3]];
      gradient[i * n + j] -= share * a[q];
      gradient[j * n + i] -= share * a[q];
      gradient[l * n + k] -= share * c[q];
      gradient[k * n + l] -= share * c[q];
    }
  }
  /** The diagonal, and the ridge's part J diag J, J = I − 11ᵀ/n. */
  finishGradient(gradient) {
    const { n, ridge } = this;
    for (let i = 0; i < n; i++) {
      let row = 0;
      for (let j = 0; j < n; j++) row += gradient[i * n + j];
      gradient[i * n + i] -= row;
    }
    if (ridge.length === 0) return;
    let mean = 0;
    for (let i = 0; i < n; i++) mean += ridge[i] / (n * n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) gradient[i * n + j] += mean - (ridge[i] + ridge[j]) / n;
      gradient[i * n + i] += ridge[i];
    }
  }
};
function distance2(K, n, i, j) {
  return Math.max(0, K[i * n + i] - 2 * K[i * n + j] + K[j * n + j]);
}

// src/gram/positive-part.ts
var LEAST_LANCZOS = 300;
var SHARE = 12;
var EXTRA = 4;
var TOLERANCE2 = 1e-10;
function positivePart(A, rankBefore) {
  return (rankBefore === void 0 ? void 0 : bypassed(A, rankBefore)) ?? fromAll(A);
}
function bypassed(A, rankBefore) {
  const n = A.rows;
  for (let count = rankBefore + EXTRA; n >= LEAST_LANCZOS && count * SHARE <= n; count *= 2) {
    const pairs = largestPairs2(A, count);
    if (pairs === void 0) return void 0;
    const least = negligible(pairs.values[0], n);
    const rank3 = pairs.values.findIndex((value) => !(value > least));
    if (rank3 >= 0) return { matrix: composed2(pairs.values, pairs.vectors, 0, rank3), rank: rank3 };
  }
  return void 0;
}
function largestPairs2(A, count) {
  const n = A.rows;
  try {
    return lanczos((v, out) => matrixTimesVector(A, v, out), n, {
      count,
      tolerance: TOLERANCE2,
      maxProducts: n,
    });
  } catch (error) {
    if (error instanceof CurvatureError && error.code === "ERR_NO_CONVERGENCE") return void 0;
    throw error;
  }
}
function fromAll(A) {
  const { values, vectors } = symmetricEigen(A);
  const least = negligible(values[values.length - 1], A.rows);
  const first = values.findIndex((value) => value > least);
  if (first < 0) return { matrix: zeros(A.rows, A.rows), rank: 0 };
  return { matrix: composed2(values, vectors, first, values.length), rank: values.length - first };
}
var negligible = (largest, n) => n * Number.EPSILON * Math.max(0, largest);
function composed2(values, vectors, start, end) {
  const n = vectors.columns;
  if (start === end) return zeros(n, n);
  const B = zeros(end - start, n);
  for (let r = start; r < end; r++) {
    const root2 = Math.sqrt(values[r]);
    for (let i = 0; i < n; i++) B.data[(r - start) * n + i] = root2 * vectors.data[r * n + i];
  }
  return gram(B);
}

// src/gram.ts
var gramDefaults = Object.freeze({
  initialStep: void 0,
});
var VERSION4 = 1;
var GROWTH = 1.5;
var MOST_TRIALS = 60;
var MOST_OBJECTS2 = 16384;
var ROUNDING3 = 100 * Number.EPSILON;
var GramDescent = class {
  name = "gram";
  dimension;
  fingerprint;
  options;
  n;
  p;
  loss;
  K;
  gradient;
  moved;
  value;
  rank;
  t;
  evaluations = 0;
  gradientEvaluations = 0;
  N;
  index = 0;
  outcome;
  mapNorm;
  /**
   * @param X - the first embedding, n × p row-major; copied. K starts as X Xᵀ of X centred
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE; ERR_MEMORY for more than 16,384 objects
   */
  constructor(objective, X, options) {
    this.options = checkOptions("GramDescent", options, gramDefaults, {
      initialStep: optional(positive),
    });
    checkObjective("GramDescent", objective);
    checkPoint("GramDescent", X, objective.dimension);
    const n = objective.comparisons.objects;
    if (n > MOST_OBJECTS2)
      throw new CurvatureError(
        "ERR_MEMORY",
        `GramDescent: ${n} objects need several matrices of ${n} x ${n}. Use a solver over coordinates, such as "svrg-sbb".`,
        { path: "objects", expected: `at most ${MOST_OBJECTS2}`, received: n },
      );
    this.n = n;
    this.p = objective.dimensions;
    this.N = objective.sum.count;
    this.dimension = n * n;
    this.fingerprint = fingerprintOf("gram", objective.fingerprint);
    this.loss = new GramLoss(objective);
    this.K = centredGram(X, n, this.p);
    this.gradient = new Float64Array(n * n);
    this.moved = { rows: n, columns: n, data: new Float64Array(n * n) };
    this.t = this.options.initialStep ?? 2 * n;
  }
  /** Every step goes down, so the current point is the best one. */
  get best() {
    return { x: this.K, value: this.value };
  }
  get last() {
    return this.best;
  }
  /** The embedding of the current K in p coordinates (default: the objective's), n × p row-major. */
  coordinates(dimensions = this.p) {
    return coordinatesFromGram({ rows: this.n, columns: this.n, data: this.K }, dimensions);
  }
  step() {
    if (this.outcome !== void 0) return this.iteration(0);
    const value = this.loss.evaluate(this.K, this.gradient);
    this.evaluations += this.N;
    this.gradientEvaluations += this.N;
    this.value = Number.isFinite(value) ? value : void 0;
    this.index++;
    if (this.value === void 0 || !Number.isFinite(norm2(this.gradient))) {
      this.outcome = {
        status: "diverged",
        message: `At the first point the value is ${value}. Start from an embedding of a smaller scale.`,
      };
      return this.iteration(0);
    }
    return this.iteration(this.search(this.value));
  }
  /** Makes the step, or ends the run. @returns the trials of t */
  search(value) {
    const { K, gradient, moved } = this;
    for (let trial = 1; trial <= MOST_TRIALS; trial++, this.t /= 2) {
      for (let i = 0; i < K.length; i++) moved.data[i] = K[i] - this.t * gradient[i];
      const { matrix, rank: rank3 } = positivePart(moved, this.rank);
      const next = matrix.data;
      for (let i = 0; i < K.length; i++) moved.data[i] = next[i] - K[i];
      const length = norm2(moved.data);
      const slope = dot(gradient, moved.data);
      const reached = this.loss.evaluate(next);
      this.evaluations += this.N;
      if (length <= ROUNDING3 * norm2(K) || Math.abs(slope) <= ROUNDING3 * Math.abs(value)) {
        this.outcome = {
          status: "converged",
          message: "The decrease still expected is below the rounding of the value or of the point.",
        };
        return trial;
      }
      const bound = value + slope + (length * length) / (2 * this.t);
      if (!(reached <= bound + ROUNDING3 * Math.abs(value) && reached <= value)) continue;
      this.mapNorm = length / this.t;
      this.K = next;
      this.rank = rank3;
      this.value = reached;
      this.t *= GROWTH;
      return trial;
    }
    this.outcome = { status: "stalled", message: `No step found a lower value, down to t = ${this.t}.` };
    return MOST_TRIALS;
  }
  iteration(trials) {
    return {
      index: this.index,
      value: this.value,
      gradientNorm: this.mapNorm,
      stepLength: this.t,
      evaluations: this.evaluations,
      gradientEvaluations: this.gradientEvaluations,
      monitoringEvaluations: 0,
      passes: this.evaluations / this.N,
      phase: "iteration",
      details: { rank: this.rank ?? this.n, trials },
      outcome: this.outcome,
    };
  }
  save() {
    return {
      solver: this.name,
      version: VERSION4,
      state: {
        K: this.K.slice(),
        value: this.value ?? null,
        rank: this.rank ?? null,
        t: this.t,
        mapNorm: this.mapNorm ?? null,
        evaluations: this.evaluations,
        gradientEvaluations: this.gradientEvaluations,
        index: this.index,
        outcome: this.outcome === void 0 ? null : { ...this.outcome },
      },
    };
  }
  restore(snapshot) {
    const state = openSnapshot(snapshot, this.name, VERSION4);
    const K = state.float64("K", this.dimension);
    const value = state.optionalNumber("value");
    const rank3 = state.has("rank") ? state.integer("rank", 0, this.n) : void 0;
    const t = state.number("t");
    const mapNorm = state.optionalNumber("mapNorm");
    const evaluations = state.integer("evaluations");
    const gradientEvaluations = state.integer("gradientEvaluations");
    const index = state.integer("index");
    this.outcome = state.outcome("outcome");
    this.K = K.slice();
    this.value = value;
    this.rank = rank3;
    this.t = t;
    this.mapNorm = mapNorm;
    this.evaluations = evaluations;
    this.gradientEvaluations = gradientEvaluations;
    this.index = index;
  }
};
function centredGram(X, n, p) {
  const mean = new Float64Array(p);
  for (let i = 0; i < X.length; i++) mean[i % p] += X[i] / n;
  const centred2 = { rows: n, columns: p, data: X.map((x, i) => x - mean[i % p]) };
  return outerGram(centred2).data;
}

// src/auto/gram-map.ts
var GramMap = class {
  constructor(objective, X) {
    this.objective = objective;
    this.descent = new GramDescent(objective, X);
    this.dimension = objective.dimension;
    this.fingerprint = this.descent.fingerprint;
  }
  objective;
  name = "gram";
  dimension;
  fingerprint;
  descent;
  found;
  get best() {
    if (this.found !== void 0) return this.found;
    const { comparisons, dimensions } = this.objective;
    const { x: K } = this.descent.best;
    const n = comparisons.objects;
    const x = coordinatesFromGram({ rows: n, columns: n, data: K }, dimensions);
    this.found = { x, value: this.objective.evaluate(x) };
    return this.found;
  }
  get last() {
    return this.best;
  }
  step() {
    this.found = void 0;
    return this.descent.step();
  }
  save() {
    return this.descent.save();
  }
  restore(snapshot) {
    this.descent.restore(snapshot);
    this.found = void 0;
  }
};

// src/auto/measured-svrg.ts
var VERSION5 = 1;
var BLOCK6 = 8192;
var MOST_EPOCHS = 30;
var MOST_FAILURES2 = 5;
var PROBE2 = 1e-3;
var stages2 = ["gradient", "probe", "inner"];
var MeasuredSvrg = class {
  constructor(sum, x, seed) {
    this.sum = sum;
    this.dimension = sum.dimension;
    this.fingerprint = sum.fingerprint;
    this.full = new FullGradient(sum);
    this.inner = new ComparisonInnerLoop(sum, 1);
    this.random = new RandomGenerator(seed);
    this.x = x.slice();
    this.snapshot = x.slice();
    this.bestX = x.slice();
    this.probe = new Float64Array(sum.dimension);
    this.gradient = new Float64Array(sum.dimension);
    this.nextGradient = new Float64Array(sum.dimension);
  }
  sum;
  name = "measured-svrg";
  dimension;
  fingerprint;
  full;
  inner;
  random;
  stage = "gradient";
  done = 0;
  x;
  snapshot;
  gradient;
  nextGradient;
  nextValue = 0;
  probe;
  bestX;
  bestValue;
  /** F at the snapshots so far, and how many they are: their trend ends it. */
  values = new Float64Array(MOST_EPOCHS + 1);
  measured = 0;
  B = 0;
  curvature = 0;
  trust = 1;
  failures = 0;
  index = 0;
  evaluations = 0;
  outcome;
  get best() {
    return { x: this.bestX, value: this.bestValue };
  }
  get last() {
    return { x: this.x, value: void 0 };
  }
  step() {
    if (this.outcome !== void 0) return this.iteration("snapshot");
    const phase = this.advance();
    this.index++;
    return this.iteration(phase);
  }
  advance() {
    const { stage } = this;
    if (stage === "inner") return this.advanceInner();
    if (!this.advanceGradient(stage === "probe" ? this.probe : this.x)) return "full gradient";
    this.done = 0;
    if (stage === "probe") this.finishProbe();
    else this.finishGradient();
    return stage === "probe" ? "probe" : "snapshot";
  }
  /** @returns whether the gradient is complete */
  advanceGradient(at) {
    const { sum, done } = this;
    if (done === 0) {
      this.nextGradient.fill(0);
      this.nextValue = 0;
    }
    const end = Math.min(sum.count, done + BLOCK6);
    this.nextValue += this.full.add(done, end, at, this.nextGradient);
    this.evaluations += end - done;
    this.done = end;
    return end === sum.count;
  }
  finishGradient() {
    const { nextGradient, nextValue, values } = this;
    const norm = norm2(nextGradient);
    if (!Number.isFinite(nextValue) || !Number.isFinite(norm)) {
      this.fail();
      return;
    }
    values[this.measured++] = nextValue;
    if (this.measured > 1) this.followSecant(nextValue > 1.001 * values[this.measured - 2]);
    this.snapshot.set(this.x);
    [this.gradient, this.nextGradient] = [this.nextGradient, this.gradient];
    if (this.bestValue === void 0 || nextValue < this.bestValue) {
      this.bestValue = nextValue;
      this.bestX.set(this.x);
    }
    this.stage = "inner";
    if (norm === 0) this.outcome = { status: "converged", message: "The gradient is zero." };
    else if (this.B === 0) this.beginProbe(norm);
    else this.outcome = this.ending();
  }
  ending() {
    const { values, measured } = this;
    const before = values[measured - 6];
    if (measured > 5 && before - values[measured - 1] < 1e-3 * Math.abs(before))
      return { status: "converged", message: "F fell by less than 0.1 % in 5 epochs." };
    if (measured > MOST_EPOCHS)
      return {
        status: "max-evaluations",
        message: `The schedule of ${MOST_EPOCHS} epochs has come to its end.`,
      };
    return void 0;
  }
  beginProbe(norm) {
    const { probe, snapshot, gradient } = this;
    const t = (PROBE2 * (norm2(snapshot) || 1)) / norm;
    for (let k = 0; k < probe.length; k++) probe[k] = snapshot[k] - t * gradient[k];
    this.stage = "probe";
  }
  finishProbe() {
    const { gradient, nextGradient, probe, snapshot } = this;
    const { dXdX, dXdG } = secant(probe, nextGradient, snapshot, gradient);
    const size = (norm2(snapshot) || 1) / (2 * Math.sqrt(dot(gradient, gradient)));
    const curvature = Math.abs(dXdG) / dXdX;
    const isKnown = curvature > 0 && Number.isFinite(curvature);
    this.curvature = isKnown ? curvature : 1 / size;
    this.B = isKnown ? Math.min(1 / curvature, size) : size;
    this.stage = "inner";
  }
  /** B from the secant between the last snapshot and the new one, which is still in `x` and `nextGradient`. */
  followSecant(hasRisen) {
    const { x, snapshot, gradient, nextGradient, B } = this;
    const { dXdX, dXdG } = secant(x, nextGradient, snapshot, gradient);
    this.trust = hasRisen ? 0.5 : Math.min(1, 1.5 * this.trust);
    if (!(dXdX > 0)) return;
    const cv = Math.abs(dXdG) / dXdX;
    this.curvature = Math.max(0.7 * this.curvature, cv);
    const next = 1 / (cv + 0.05 * this.curvature);
    if (Number.isFinite(next) && next > 0) this.B = this.trust * Math.min(Math.sqrt(next * B), 3 * B);
  }
  advanceInner() {
    const { sum, x, random } = this;
    const count = Math.min(sum.count - this.done, BLOCK6 / 2);
    this.inner.run(count, x, { x: this.snapshot, gradient: this.gradient }, this.B / sum.count, random);
    this.evaluations += 2 * count;
    this.done += count;
    if (this.done < sum.count) return "inner";
    this.done = 0;
    if (Number.isFinite(norm2(x))) this.stage = "gradient";
    else this.fail();
    return "epoch";
  }
  /** Back to the best snapshot, whose gradient is taken again, with a tenth of the step. */
  fail() {
    this.done = 0;
    this.failures++;
    if (this.bestValue === void 0 || this.failures === MOST_FAILURES2) {
      this.outcome = { status: "diverged", message: "F was not finite, and smaller steps did not help." };
      return;
    }
    this.x.set(this.bestX);
    this.snapshot.set(this.bestX);
    this.trust = 0.1;
    this.B *= 0.1;
    this.stage = "gradient";
  }
  iteration(phase) {
    const isMeasured = phase === "snapshot";
    return {
      index: this.index,
      value: isMeasured && this.measured > 0 ? this.values[this.measured - 1] : void 0,
      gradientNorm: isMeasured ? norm2(this.gradient) : void 0,
      stepLength: this.B === 0 ? void 0 : this.B,
      evaluations: this.evaluations,
      gradientEvaluations: this.evaluations,
      monitoringEvaluations: 0,
      passes: this.evaluations / this.sum.count,
      phase,
      details: void 0,
      outcome: this.outcome,
    };
  }
  save() {
    return {
      solver: this.name,
      version: VERSION5,
      state: {
        stage: stages2.indexOf(this.stage),
        done: this.done,
        x: this.x.slice(),
        snapshot: this.snapshot.slice(),
        gradient: this.gradient.slice(),
        nextGradient: this.nextGradient.slice(),
        nextValue: this.nextValue,
        probe: this.probe.slice(),
        bestX: this.bestX.slice(),
        bestValue: this.bestValue ?? null,
        values: this.values.slice(),
        measured: this.measured,
        step: this.B,
        curvature: this.curvature,
        trust: this.trust,
        failures: this.failures,
        index: this.index,
        evaluations: this.evaluations,
        outcome: this.outcome === void 0 ? null : { ...this.outcome },
        random: this.random.save(),
      },
    };
  }
  restore(snapshot) {
    const { dimension } = this;
    const state = openSnapshot(snapshot, this.name, VERSION5);
    const stage = stages2[state.integer("stage", 0, stages2.length - 1)];
    const done = state.integer("done", 0, this.sum.count);
    const arrays = ["x", "snapshot", "gradient", "nextGradient", "probe", "bestX"].map((key) =>
      state.float64(key, dimension),
    );
    const numbers = ["nextValue", "step", "curvature", "trust"].map((key) => state.number(key));
    const counts = ["failures", "index", "evaluations"].map((key) => state.integer(key));
    const bestValue = state.optionalNumber("bestValue");
    const values = state.float64("values", MOST_EPOCHS + 1);
    const measured = state.integer("measured", 0, MOST_EPOCHS + 1);
    const outcome = state.outcome("outcome");
    this.random.restore(state.uint32("random", 4));
    this.stage = stage;
    this.done = done;
    const own = [this.x, this.snapshot, this.gradient, this.nextGradient, this.probe, this.bestX];
    for (const [k, array] of own.entries()) array.set(arrays[k]);
    [this.nextValue, this.B, this.curvature, this.trust] = numbers;
    [this.failures, this.index, this.evaluations] = counts;
    this.bestValue = bestValue;
    this.values.set(values);
    this.measured = measured;
    this.outcome = outcome;
  }
};

// src/auto/make-plan.ts
var RIDGES = [0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3, 0];
var PATH_ITERATIONS = 20;
var REFIT_ITERATIONS = 60;
var FIT_ITERATIONS = 200;
var PLAIN_PASSES = 300;
var MANY_ANSWERS = 20;
var LEAST_DIVIDED = 40;
var GUESSED_RIDGE = 0.03;
var LEAST_VALIDATION = 50;
function makePlan({ comparisons, questions }, settings, first) {
  const { dimensions, seed, solver, restarts } = settings;
  const N = comparisonCount(comparisons);
  const loss = ordinalLoss(settings.loss, {
    mu: settings.mu,
    dimensions,
    ...(settings.alpha === void 0 ? {} : { alpha: settings.alpha }),
  });
  const objectiveOf = (answers, ridge2) => ordinalObjective(answers, loss, dimensions, { ridge: ridge2 });
  const warnings = [];
  const isSearched =
    solver === "auto" && settings.ridge === "auto" && isWorthPath(settings, comparisons.objects, N);
  const target = Math.max(settings.validation * N, Math.min(LEAST_VALIDATION, N / 4));
  const parts =
    isSearched && N >= LEAST_DIVIDED
      ? heldOut(comparisons, questions, target, new RandomGenerator(seed))
      : void 0;
  if (isSearched && parts === void 0)
    warnings.push(
      `There are too few answers (${N}) to choose the ridge by some of them: it is ${GUESSED_RIDGE}, a guess.`,
    );
  const ridge = settings.ridge === "auto" ? (isSearched ? GUESSED_RIDGE : 0) : settings.ridge;
  const whole = objectiveOf(comparisons, 0);
  const maps = firstMaps(whole, first, seed);
  if (first.kind === "spectral" && !maps.isSpectral)
    warnings.push("The answers have no spectral map (they cancel each other): the fit starts at random.");
  const validation = parts === void 0 ? void 0 : objectiveOf(parts.validation, 0);
  const isMeasured =
    solver === "auto" &&
    settings.ridge === "auto" &&
    !isSearched &&
    settings.loss !== "gnmds" &&
    comparisons.objects < SPECTRAL_BELOW;
  const work = (stage, from) => {
    const isPath = stage.kind === "path" && parts !== void 0;
    const objective = objectiveOf(isPath ? parts.training : comparisons, stage.ridge);
    const limits2 = { share: comparisonCount(objective.comparisons) / N, objective };
    if (isMeasured)
      return {
        ...limits2,
        solver: new MeasuredSvrg(objective.sum, from, seed + stage.start),
        maxIterations: Number.POSITIVE_INFINITY,
        maxPasses: Number.POSITIVE_INFINITY,
      };
    const isAuto = solver === "auto";
    const iterations = isPath ? PATH_ITERATIONS : parts === void 0 ? FIT_ITERATIONS : REFIT_ITERATIONS;
    return {
      ...limits2,
      solver: namedSolver(isAuto ? "lbfgs" : solver, objective, from, seed + stage.start),
      maxIterations: isAuto ? iterations : Number.POSITIVE_INFINITY,
      maxPasses: isAuto
        ? Number.POSITIVE_INFINITY
        : (settings.maxPasses ?? PLAIN_PASSES * restarts) / restarts,
    };
  };
  return {
    warnings,
    plan: {
      starts: restarts,
      path: parts === void 0 ? [] : RIDGES,
      ridge,
      first: maps.first,
      work,
      validate: (x) => validation?.evaluate(x) ?? Number.NaN,
      validationPasses: validation === void 0 ? 0 : comparisonCount(validation.comparisons) / N,
    },
  };
}
function namedSolver(solver, objective, from, seed) {
  return solver === "gram"
    ? new GramMap(objective, from)
    : createOrdinalSolver(objective, from, { solver, seed });
}
function isWorthPath({ loss, dimensions }, objects, N) {
  return loss !== "gnmds" && N < MANY_ANSWERS * objects * dimensions;
}

// src/auto/saved.ts
var counters2 = ["index", "evaluations", "gradientEvaluations", "monitoringEvaluations"];
function readKept(state, dimension) {
  return {
    x: state.float64("x", dimension).slice(),
    score: state.number("score"),
    ridge: state.number("ridge"),
  };
}
function readInner(state, { state: outer }) {
  const solver = state.text("solver");
  const version = state.integer("version");
  const inner = member(outer, "inner");
  return { solver, version, state: member(inner, "state") };
}
function member(value, name) {
  const isObject = typeof value === "object" && value !== null && !ArrayBuffer.isView(value);
  const found = isObject ? new Map(Object.entries(value)).get(name) : void 0;
  if (found !== void 0) return found;
  throw new CurvatureError("ERR_SNAPSHOT", `The snapshot of the fit has no ${name}.`, { path: name });
}
function savedIteration(iteration) {
  if (iteration === void 0) return null;
  const { details, outcome } = iteration;
  return {
    index: iteration.index,
    value: iteration.value ?? null,
    gradientNorm: iteration.gradientNorm ?? null,
    stepLength: iteration.stepLength ?? null,
    evaluations: iteration.evaluations,
    gradientEvaluations: iteration.gradientEvaluations,
    monitoringEvaluations: iteration.monitoringEvaluations,
    passes: iteration.passes,
    phase: iteration.phase,
    start: details.start,
    stage: details.stage,
    ridge: details.ridge,
    objective: details.objective ?? null,
    testError: details.testError ?? null,
    outcome: outcome === void 0 ? null : { ...outcome },
  };
}
function readIteration(state) {
  if (!state.has("latest")) return void 0;
  const latest = state.object("latest");
  return {
    index: latest.integer("index"),
    value: latest.optionalNumber("value"),
    gradientNorm: latest.optionalNumber("gradientNorm"),
    stepLength: latest.optionalNumber("stepLength"),
    evaluations: latest.integer("evaluations"),
    gradientEvaluations: latest.integer("gradientEvaluations"),
    monitoringEvaluations: latest.integer("monitoringEvaluations"),
    passes: latest.number("passes"),
    phase: latest.text("phase"),
    details: {
      start: latest.integer("start"),
      stage: latest.text("stage") === "path" ? "path" : "fit",
      ridge: latest.number("ridge"),
      objective: latest.optionalNumber("objective"),
      testError: latest.optionalNumber("testError"),
    },
    outcome: latest.outcome("outcome"),
  };
}

// src/auto/staged-fit.ts
var VERSION6 = 1;
var MOST_WORSE = 2;
var StagedFit = class {
  name;
  dimension;
  fingerprint;
  options;
  plan;
  tolerance;
  testError;
  start = 0;
  /** The place on the path; its length for the last stage. */
  place = 0;
  /** Where the stage under way began. */
  from;
  work;
  /** Iterations of the stage under way. */
  iterations = 0;
  /** The last value that the stage knew, and the point where. */
  lastValue = Number.NaN;
  lastX;
  kept;
  /** The least loss on the answers held out of this start's λ, and how many λ in a row have not reached it. */
  least = Number.POSITIVE_INFINITY;
  worse = 0;
  index = 0;
  /** Of the stages that have ended. */
  evaluations = 0;
  gradientEvaluations = 0;
  monitoringEvaluations = 0;
  passes = 0;
  outcome;
  latest;
  constructor(plan, options) {
    this.plan = plan;
    this.name = options.name;
    this.dimension = options.dimension;
    this.fingerprint = options.fingerprint;
    this.options = options.options;
    this.tolerance = options.tolerance;
    this.testError = options.testError;
    this.from = plan.first(0);
    this.lastX = new Float64Array(this.dimension);
  }
  /** λ of `best`. */
  get bestRidge() {
    const { stage, kept } = this;
    return stage.kind === "path" && kept !== void 0 ? kept.ridge : stage.ridge;
  }
  /** F on all answers, and the ridge. */
  valueAt(x, ridge) {
    return this.plan.work({ kind: "fit", start: 0, ridge }, x).objective.evaluate(x);
  }
  get best() {
    const { kept, stage } = this;
    const now = this.work?.solver.best;
    if (stage.kind === "path") return { x: kept?.x ?? now?.x ?? this.from, value: void 0 };
    const isRefit = this.plan.path.length > 0;
    if (now?.value === void 0)
      return { x: kept?.x ?? now?.x ?? this.from, value: isRefit ? void 0 : kept?.score };
    const isKeptBetter = !isRefit && kept !== void 0 && kept.score < now.value;
    return isKeptBetter ? { x: kept.x, value: kept.score } : now;
  }
  get last() {
    const { stage } = this;
    const now = this.work?.solver.last;
    return { x: now?.x ?? this.from, value: stage.kind === "fit" ? now?.value : void 0 };
  }
  get stage() {
    return this.stageAt(this.place, this.start, this.kept);
  }
  stageAt(place, start, kept) {
    const { path, ridge } = this.plan;
    if (place < path.length) return { kind: "path", start, ridge: path[place] };
    return { kind: "fit", start, ridge: path.length > 0 ? (kept?.ridge ?? ridge) : ridge };
  }
  step() {
    if (this.outcome !== void 0 && this.latest !== void 0) return this.latest;
    const { stage } = this;
    this.work ??= this.plan.work(stage, this.from);
    const { solver, share, maxIterations: maxIterations3, maxPasses: maxPasses3 } = this.work;
    const inner = immediate(solver.step());
    this.index++;
    this.iterations++;
    const isSettled = this.isSettled(inner);
    const isOver =
      inner.outcome !== void 0 ||
      isSettled ||
      this.iterations >= maxIterations3 ||
      inner.passes >= maxPasses3;
    const passes = this.passes + inner.passes * share;
    const testError = this.isMeasured(inner, passes) ? this.testError?.(solver.last.x) : void 0;
    if (testError !== void 0) this.monitoringEvaluations++;
    const told = {
      index: this.index,
      value: stage.kind === "fit" ? inner.value : void 0,
      gradientNorm: stage.kind === "fit" ? inner.gradientNorm : void 0,
      stepLength: inner.stepLength,
      evaluations: this.evaluations + inner.evaluations,
      gradientEvaluations: this.gradientEvaluations + inner.gradientEvaluations,
      monitoringEvaluations: this.monitoringEvaluations + inner.monitoringEvaluations,
      passes,
      phase: stage.kind === "path" ? "ridge path" : inner.phase,
      details: {
        start: stage.start,
        stage: stage.kind,
        ridge: stage.ridge,
        objective: inner.value,
        testError,
      },
      outcome: void 0,
    };
    if (isOver) this.endStage(inner, isSettled);
    this.latest = { ...told, outcome: this.outcome };
    return this.latest;
  }
  /** Where the value is known, and else once a pass: a step may be a small part of one, and a test costs as much as many. */
  isMeasured({ value, outcome }, passes) {
    const before = this.latest?.passes ?? 0;
    return value !== void 0 || outcome !== void 0 || Math.floor(passes) > Math.floor(before);
  }
  isSettled({ value }) {
    const { tolerance, lastX, work } = this;
    if (tolerance === 0 || value === void 0 || work === void 0) return false;
    const { x } = work.solver.last;
    let change = 0;
    for (let k = 0; k < x.length; k++) change += (x[k] - lastX[k]) * (x[k] - lastX[k]);
    const isSmall =
      Math.abs(this.lastValue - value) <= tolerance * Math.abs(value) &&
      Math.sqrt(change) <= tolerance * norm2(x);
    this.lastValue = value;
    lastX.set(x);
    return isSmall;
  }
  /** Keeps the end if it is the best so far, and goes to the next stage, or ends. */
  endStage(inner, isSettled) {
    const { plan, work, stage } = this;
    if (work === void 0) return;
    const { x, value } = work.solver.best;
    this.evaluations += inner.evaluations;
    this.gradientEvaluations += inner.gradientEvaluations;
    this.passes += inner.passes * work.share;
    const hasPath = plan.path.length > 0;
    const isLast = hasPath ? stage.kind === "fit" : this.start + 1 === plan.starts;
    if (stage.kind === "path") {
      const score = plan.validate(x);
      this.evaluations++;
      this.passes += plan.validationPasses;
      this.worse = score < this.least ? 0 : this.worse + 1;
      this.least = Math.min(score, this.least);
      if (Number.isFinite(score) && !(this.kept !== void 0 && this.kept.score <= score))
        this.kept = { x: x.slice(), score, ridge: stage.ridge };
    } else if (!isLast && value !== void 0 && Number.isFinite(value)) {
      if (!(this.kept !== void 0 && this.kept.score <= value))
        this.kept = { x: x.slice(), score: value, ridge: stage.ridge };
    }
    if (isLast) {
      this.outcome = inner.outcome ?? this.ending(isSettled);
      return;
    }
    this.advance(x);
  }
  advance(x) {
    const { plan } = this;
    const isPathOver = this.place + 1 >= plan.path.length || this.worse === MOST_WORSE;
    if (!isPathOver) {
      this.place++;
      this.from = x.every(Number.isFinite) ? x.slice() : plan.first(this.start);
    } else if (this.start + 1 < plan.starts) {
      this.start++;
      this.place = 0;
      this.from = plan.first(this.start);
    } else {
      this.place = plan.path.length;
      this.from = this.kept?.x.slice() ?? plan.first(0);
    }
    this.work = void 0;
    this.iterations = 0;
    this.lastValue = Number.NaN;
    if (!isPathOver) return;
    this.least = Number.POSITIVE_INFINITY;
    this.worse = 0;
  }
  ending(isSettled) {
    if (isSettled)
      return {
        status: "converged",
        message: `Value and map changed by no more than ${this.tolerance} of themselves.`,
      };
    return {
      status: "max-evaluations",
      message: `The schedule of ${this.name} has come to its end, with ${this.index} iterations and the ridge ${this.bestRidge}.`,
    };
  }
  save() {
    return {
      solver: this.name,
      version: VERSION6,
      state: {
        start: this.start,
        place: this.place,
        begin: this.from.slice(),
        inner: this.work === void 0 ? null : { ...this.work.solver.save() },
        iterations: this.iterations,
        lastValue: this.lastValue,
        lastX: this.lastX.slice(),
        least: this.least,
        worse: this.worse,
        kept: this.kept === void 0 ? null : { ...this.kept, x: this.kept.x.slice() },
        index: this.index,
        evaluations: this.evaluations,
        gradientEvaluations: this.gradientEvaluations,
        monitoringEvaluations: this.monitoringEvaluations,
        passes: this.passes,
        latest: savedIteration(this.latest),
      },
    };
  }
  restore(snapshot) {
    const { plan, dimension } = this;
    const state = openSnapshot(snapshot, this.name, VERSION6);
    const start = state.integer("start", 0, plan.starts - 1);
    const place = state.integer("place", 0, plan.path.length);
    const from = state.float64("begin", dimension);
    const iterations = state.integer("iterations");
    const lastValue = state.number("lastValue");
    const lastX = state.float64("lastX", dimension);
    const kept = state.has("kept") ? readKept(state.object("kept"), dimension) : void 0;
    const counts = counters2.map((name) => state.integer(name));
    const passes = state.number("passes");
    const least = state.number("least");
    const worse = state.integer("worse");
    const latest = readIteration(state);
    const inner = state.has("inner") ? readInner(state.object("inner"), snapshot) : void 0;
    const work = inner === void 0 ? void 0 : plan.work(this.stageAt(place, start, kept), from);
    if (inner !== void 0) work?.solver.restore(inner);
    [this.start, this.place, this.from, this.iterations] = [start, place, from.slice(), iterations];
    [this.index, this.evaluations, this.gradientEvaluations, this.monitoringEvaluations] = counts;
    [this.lastValue, this.kept, this.passes, this.work] = [lastValue, kept, passes, work];
    [this.least, this.worse] = [least, worse];
    this.lastX.set(lastX);
    this.latest = latest;
    this.outcome = latest?.outcome;
  }
};
function immediate(stepped) {
  if (!(stepped instanceof Promise)) return stepped;
  throw new CurvatureError("ERR_ARGUMENT", "A solver of an ordinal objective returned a promise.", {
    path: "solver",
  });
}

// src/ordinal-embedding.ts
async function ordinalEmbedding(answers, options = {}) {
  const settings = embeddingSettings("ordinalEmbedding", options);
  const { signal } = options;
  const reading = await timed(() => readProblem(answers, settings), signal);
  const problem = reading.value;
  const making = await timed(() => makeFit(problem, settings), signal);
  const { fit, warnings } = making.value;
  const result = await run(fit, { ...runOptions(options), stop: limits(settings) });
  return finished(problem, settings, fit, result, {
    warnings: [...problem.prepared.warnings, ...warnings],
    phases: {
      answers: reading.seconds,
      initialization: making.seconds,
      optimization: result.elapsedSeconds,
    },
  });
}
function readProblem(given, settings) {
  const { objects, weights, degenerate, dimensions } = settings;
  const answers = readAnswers(given, { where: "ordinalEmbedding", objects, weights, degenerate });
  const prepared = prepareAnswers(answers);
  checkDimensions2("ordinalEmbedding", dimensions, prepared.comparisons.objects);
  const test =
    settings.test === void 0
      ? void 0
      : readAnswers(settings.test, {
          where: "ordinalEmbedding, test",
          objects: answers.comparisons.objects,
          degenerate,
        }).measured;
  return { answers, prepared, test };
}
function makeFit({ answers, prepared, test }, settings) {
  const { comparisons, placed } = prepared;
  const { dimensions, solver, tolerance, seed } = settings;
  const { objects } = answers.comparisons;
  const first = firstMap(settings, objects, prepared);
  const { plan, warnings } = makePlan(prepared, settings, first);
  const testError =
    test === void 0 ? void 0 : (x) => errorShare(test, withGaps(x, dimensions, placed, objects));
  const fit = new StagedFit(plan, {
    name: solver,
    dimension: comparisons.objects * dimensions,
    fingerprint: fingerprintOf(
      "ordinal embedding",
      comparisons.quadruplets,
      comparisons.weights ?? "even",
      plan.first(0),
      test?.quadruplets ?? "no test",
      settings.loss,
      settings.mu,
      settings.alpha ?? "usual alpha",
      String(settings.ridge),
      settings.validation,
      settings.restarts,
      dimensions,
      seed,
    ),
    options: reported(settings),
    tolerance,
    testError,
  });
  return { fit, warnings };
}
function firstMap(settings, objects, prepared) {
  const { initialization, dimensions } = settings;
  if (initialization === "auto")
    return { kind: prepared.comparisons.objects < SPECTRAL_BELOW ? "spectral" : "random" };
  if (initialization === "spectral" || initialization === "random") return { kind: initialization };
  return {
    kind: "given",
    map: placedMap(initialization, "initialization", objects, dimensions, prepared.placed),
  };
}
function limits({ maxPasses: passes, maxIterations: iterations, maxSeconds }) {
  return anyOf(
    ...(iterations === void 0 ? [] : [maxIterations(iterations)]),
    ...(passes === void 0 ? [] : [maxPasses(passes)]),
    ...(maxSeconds === void 0 ? [] : [timeLimit(maxSeconds)]),
  );
}
function runOptions(options) {
  const { signal, onIteration, yieldEvery, checkpoint, resume, history } = options;
  return {
    ...(signal === void 0 ? {} : { signal }),
    ...(onIteration === void 0 ? {} : { onIteration }),
    ...(yieldEvery === void 0 ? {} : { yieldEvery }),
    ...(checkpoint === void 0 ? {} : { checkpoint }),
    ...(resume === void 0 ? {} : { resume }),
    ...(history === void 0 ? {} : { history }),
  };
}
function finished({ answers, prepared, test }, { dimensions }, fit, result, rest) {
  if (result.status === "failed" && result.iterations === 0) throw result.cause;
  const { objects } = answers.comparisons;
  const { placed } = prepared;
  const ridge = fit.bestRidge;
  const value = result.value ?? fit.valueAt(result.x, ridge);
  const monitoringEvaluations = result.monitoringEvaluations + (result.value === void 0 ? 1 : 0);
  const x = withGaps(result.x, dimensions, placed, objects);
  const embedding = { rows: objects, columns: dimensions, data: x };
  return {
    ...result,
    ...rest,
    x,
    last: withGaps(result.last, dimensions, placed, objects),
    value: Number.isFinite(value) ? value : void 0,
    monitoringEvaluations,
    embedding,
    trainingError: errorShare(answers.measured, x),
    testError: test === void 0 ? void 0 : errorShare(test, x),
    ridge,
    answers: prepared.summary,
  };
}
function reported(settings) {
  const { initialization, weights, test, ...plain2 } = settings;
  return {
    ...plain2,
    initialization: typeof initialization === "string" ? initialization : "given",
    weights: weights === void 0 ? void 0 : "given",
    test: test === void 0 ? void 0 : "given",
  };
}

// src/bootstrap.ts
var ITERATIONS = 60;
async function bootstrapEmbedding(answers, options = {}) {
  if (typeof options !== "object" || options === null)
    throw badOption("bootstrapEmbedding", "options", "an object", options);
  const { samples = 50, onSample, ...rest } = options;
  if (!integerFrom(2).accepts(samples))
    throw badOption("bootstrapEmbedding", "samples", integerFrom(2).expected, samples);
  if (onSample !== void 0 && !callback.accepts(onSample))
    throw badOption("bootstrapEmbedding", "onSample", callback.expected, onSample);
  const result = await ordinalEmbedding(answers, rest);
  const { signal } = options;
  const settings = embeddingSettings("bootstrapEmbedding", rest);
  const { objects, weights, degenerate, dimensions: p, loss, mu, alpha, seed } = settings;
  const read = readAnswers(answers, { where: "bootstrapEmbedding", objects, weights, degenerate });
  const { comparisons, questions, placed } = prepareAnswers(read);
  const groups = byQuestion(questions);
  const random = new RandomGenerator(seed);
  const map = placedMap(result.embedding, "embedding", result.embedding.rows, p, placed);
  const moments = new Moments(map.rows, p);
  for (let sample = 1; sample <= samples; sample++) {
    const drawn = resampled(comparisons, groups, random);
    const { value: X } = await timed(
      () =>
        quickFit(drawn, {
          loss,
          dimensions: p,
          ridge: result.ridge,
          iterations: ITERATIONS,
          seed,
          mu,
          alpha,
          from: map.data,
        }),
      signal,
    );
    const { aligned: aligned3 } = procrustes(map, { rows: map.rows, columns: p, data: X });
    moments.add(aligned3.data, new Set(drawn.quadruplets));
    onSample?.(sample);
  }
  const covariances = new Float64Array(result.embedding.rows * p * p).fill(Number.NaN);
  for (let r = 0; r < map.rows; r++) covariances.set(moments.covariance(r), (placed?.[r] ?? r) * p * p);
  const spread = Float64Array.from({ length: result.embedding.rows }, (_, object) => {
    let trace = 0;
    for (let t = 0; t < p; t++) trace += covariances[object * p * p + t * (p + 1)];
    return Math.sqrt(trace);
  });
  return {
    result,
    embedding: result.embedding,
    covariances,
    spread,
    samples,
    ellipse: (object, share = 0.95) => ellipseOf(covariances, result.embedding, object, share),
  };
}
var Moments = class {
  constructor(objects, p) {
    this.p = p;
    this.count = new Int32Array(objects);
    this.first = new Float64Array(objects * p);
    this.sum = new Float64Array(objects * p);
    this.products = new Float64Array(objects * p * p);
  }
  p;
  count;
  first;
  sum;
  products;
  add(X, spoken) {
    const { p, count, first, sum, products } = this;
    for (const r of spoken) {
      const row = r * p;
      if (count[r]++ === 0) first.set(X.subarray(row, row + p), row);
      for (let s = 0; s < p; s++) {
        const u = X[row + s] - first[row + s];
        sum[row + s] += u;
        for (let t = 0; t < p; t++) products[row * p + s * p + t] += u * (X[row + t] - first[row + t]);
      }
    }
  }
  /** p × p */
  covariance(r) {
    const { p, count, sum, products } = this;
    return Float64Array.from({ length: p * p }, (_, at) => {
      const mixed = sum[r * p + Math.floor(at / p)] * sum[r * p + (at % p)];
      return (products[r * p * p + at] - mixed / count[r]) / (count[r] - 1);
    }).map((value) => (count[r] < 2 ? Number.NaN : value));
  }
};
function ellipseOf(covariances, { rows, columns: p }, object, share) {
  if (p !== 2)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `ellipse: only maps of 2 dimensions have ellipses; this one has ${p}.`,
      {
        path: "dimensions",
        received: p,
      },
    );
  if (!Number.isSafeInteger(object) || object < 0 || object >= rows)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `ellipse: object must be a whole number from 0 to ${rows - 1}; received ${shown(object)}.`,
      { path: "object", received: object },
    );
  if (!(typeof share === "number" && share > 0 && share < 1))
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `ellipse: share must be above 0 and below 1; received ${shown(share)}.`,
      {
        path: "share",
        received: share,
      },
    );
  const covariance = covariances.slice(4 * object, 4 * object + 4);
  if (!covariance.every(Number.isFinite)) return { major: Number.NaN, minor: Number.NaN, direction: [1, 0] };
  const { values, vectors } = symmetricEigen({ rows: 2, columns: 2, data: covariance });
  const radius = Math.sqrt(-2 * log(1 - share));
  return {
    major: radius * Math.sqrt(Math.max(0, values[1])),
    minor: radius * Math.sqrt(Math.max(0, values[0])),
    direction: [vectors.data[2], vectors.data[3]],
  };
}

// src/dimension.ts
var dimensionDefaults = Object.freeze({
  candidates: void 0,
  folds: 5,
  loss: "soe",
  objects: void 0,
  weights: void 0,
  degenerate: "error",
  seed: 0,
  signal: void 0,
  onCandidate: void 0,
});
var usualCandidates = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15];
var RIDGE = 0.03;
var ITERATIONS2 = 40;
async function chooseDimension(answers, options = {}) {
  const settings = checkOptions("chooseDimension", options, dimensionDefaults, {
    candidates: anything,
    folds: integerFrom(2),
    loss: oneOf(...ordinalLossNames),
    objects: optional(integerFrom(1)),
    weights: anything,
    degenerate: oneOf("error", "drop", "keep"),
    seed: integerFrom(0),
    signal: anything,
    onCandidate: optional(callback),
  });
  const { objects, weights, degenerate, signal } = settings;
  const reading = await timed(() => {
    const read = readAnswers(answers, { where: "chooseDimension", objects, weights, degenerate });
    const prepared2 = prepareAnswers(read);
    const random = new RandomGenerator(settings.seed);
    checkFolds(settings.folds, prepared2);
    return { prepared: prepared2, partOf: evenParts(prepared2.questions, settings.folds, random) };
  }, signal);
  const { prepared, partOf } = reading.value;
  const judged2 = [];
  for (const dimensions of candidatesOf(settings, prepared.comparisons.objects)) {
    const candidate = await judge(dimensions, prepared.comparisons, partOf, settings);
    judged2.push(candidate);
    settings.onCandidate?.(candidate);
  }
  const best = judged2.reduce((least, other) => (other.error < least.error ? other : least));
  return { dimensions: best.dimensions, candidates: judged2 };
}
async function judge(dimensions, comparisons, partOf, { folds, loss, seed, signal }) {
  const errors = [];
  let wrong3 = 0;
  let total = 0;
  for (let fold = 0; fold < folds; fold++) {
    const { value } = await timed(() => {
      const { inside, outside } = separated(comparisons, partOf, fold);
      const X = quickFit(outside, { loss, dimensions, ridge: RIDGE, iterations: ITERATIONS2, seed });
      const weight = inside.weights?.reduce((sum, w) => sum + w, 0) ?? comparisonCount(inside);
      return { error: errorShare(inside, X), weight };
    }, signal);
    errors.push(value.error);
    wrong3 += value.error * value.weight;
    total += value.weight;
  }
  const mean = errors.reduce((sum, error) => sum + error, 0) / folds;
  const squares = errors.reduce((sum, error) => sum + (error - mean) * (error - mean), 0);
  return { dimensions, error: wrong3 / total, standardError: Math.sqrt(squares / (folds * (folds - 1))) };
}
function candidatesOf({ candidates: candidates2 }, objects) {
  if (candidates2 === void 0) return usualCandidates.filter((p) => p < objects);
  const isList3 =
    Array.isArray(candidates2) &&
    candidates2.length > 0 &&
    candidates2.every((p) => Number.isSafeInteger(p) && p >= 1 && p < objects);
  if (!isList3)
    throw badOption("chooseDimension", "candidates", `whole numbers from 1 to ${objects - 1}`, candidates2);
  return [...new Set(candidates2)].sort((a, b) => a - b);
}
function checkFolds(folds, { questions }) {
  if (folds > questions.count)
    throw badOption("chooseDimension", "folds", `at most ${questions.count}, the different questions`, folds);
}

// src/kernel-ridge.ts
var kernelRidgeDefaults = Object.freeze({ ridge: "auto", bandwidth: "mean" });
var candidates = [1, 0.1, 0.01, 1e-3, 1e-4, 1e-5, 1e-6];
var MOST_OBJECTS3 = 15e3;
function kernelRidge(features, embedding, options = {}) {
  const settings = checkOptions("kernelRidge", options, kernelRidgeDefaults, {
    ridge: either(oneOf("auto"), positive),
    bandwidth: either(oneOf("mean"), positive),
  });
  const known = toDense(features, "features");
  const places = toDense(embedding, "embedding");
  checkShapes2(known, places);
  const distances = squaredDistances(known);
  const bandwidth = settings.bandwidth === "mean" ? meanOfPairs(distances) : settings.bandwidth;
  const K = applyKernel(distances, bandwidth);
  const mean = columnMeans(places);
  const fits2 = (settings.ridge === "auto" ? candidates : [settings.ridge]).map((ridge2) =>
    fitted(K, places, mean, ridge2),
  );
  const { ridge, A, error } = fits2.reduce((best, other) => (other.error < best.error ? other : best));
  return {
    ridge,
    bandwidth,
    leaveOneOutError: error,
    predict(given) {
      const asked = toDense(given, "features");
      if (asked.columns !== known.columns)
        throw new CurvatureError(
          "ERR_SHAPE",
          `kernelRidge: it was made of features with ${known.columns} columns; received ${asked.columns}.`,
          { path: "features", expected: `${known.columns} columns`, received: asked.columns },
        );
      const found = multiply(applyKernel(squaredDistancesBetween(asked, known), bandwidth), A);
      for (let k = 0; k < found.data.length; k++) found.data[k] += mean[k % mean.length];
      return found;
    },
  };
}
function fitted(K, places, mean, ridge) {
  const n = K.rows;
  const p = places.columns;
  const B = zeros(n, n);
  B.data.set(K.data);
  for (let i = 0; i < n; i++) B.data[i * n + i] += ridge;
  const inverted = inverse(new DenseCholesky(B, true));
  const Y = zeros(n, p);
  for (let k = 0; k < Y.data.length; k++) Y.data[k] = places.data[k] - mean[k % p];
  const A = multiply(inverted, Y);
  let squares = 0;
  for (let k = 0; k < A.data.length; k++) {
    const i = Math.floor(k / p);
    const residual = A.data[k] / inverted.data[i * n + i];
    squares += residual * residual;
  }
  return { ridge, A, error: Math.sqrt(squares / n) };
}
function applyKernel(distances, bandwidth) {
  const { data } = distances;
  const factor = -1 / (2 * bandwidth);
  for (let k = 0; k < data.length; k++) data[k] = exp(factor * data[k]);
  return distances;
}
function meanOfPairs({ rows: n, data }) {
  let mean = 0;
  for (let k = 0; k < data.length; k++) mean += data[k] / (n * (n - 1));
  if (mean > 0 && mean < Number.POSITIVE_INFINITY) return mean;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `kernelRidge: the mean squared distance of the features is ${mean}, so that they cannot tell the objects apart. Give others, or scale them.`,
    { path: "features", received: mean },
  );
}
function columnMeans({ rows, columns, data }) {
  const mean = new Float64Array(columns);
  for (let k = 0; k < data.length; k++) mean[k % columns] += data[k] / rows;
  return mean;
}
function checkShapes2(features, places) {
  if (features.rows !== places.rows || features.rows < 2 || features.columns < 1 || places.columns < 1)
    throw new CurvatureError(
      "ERR_SHAPE",
      `kernelRidge: features and embedding must have a row for each of at least 2 objects; received ${features.rows} x ${features.columns} and ${places.rows} x ${places.columns}.`,
      { path: "features", expected: "as many rows as the embedding", received: features.rows },
    );
  if (features.rows > MOST_OBJECTS3)
    throw new CurvatureError(
      "ERR_MEMORY",
      `kernelRidge holds a number for each pair of objects, too many for ${features.rows}. Learn from at most ${MOST_OBJECTS3}.`,
      { path: "features", expected: `at most ${MOST_OBJECTS3} rows`, received: features.rows },
    );
}

// src/metrics/labels.ts
function checkLabels(where, labels, count) {
  const isList3 = Array.isArray(labels) || (ArrayBuffer.isView(labels) && "length" in labels);
  const length = isList3 && typeof labels.length === "number" ? labels.length : Number.NaN;
  if (!isList3 || length !== count)
    throw new CurvatureError(
      "ERR_SHAPE",
      `${where}: labels must be ${count} strings or numbers, one for each object; received ${shown(labels)}.`,
      { path: "labels", expected: `${count} labels`, received: labels },
    );
  if (!Array.isArray(labels)) return;
  for (let i = 0; i < count; i++) {
    const label = labels[i];
    if (typeof label === "string" || (typeof label === "number" && !Number.isNaN(label))) continue;
    throw new CurvatureError(
      "ERR_SHAPE",
      `${where}: the label of object ${i} (counted from 0) must be a string or a number; received ${shown(label)}.`,
      { path: `labels[${i}]`, expected: "a string or a number", received: label },
    );
  }
}

// src/metrics/neighbor-label-error.ts
function neighborLabelError(embedding, labels) {
  const { rows: n, columns: p, data: X } = toDense(embedding, "embedding");
  if (n < 2)
    throw new CurvatureError("ERR_SHAPE", `neighborLabelError needs at least 2 objects; received ${n}.`, {
      path: "embedding",
      expected: "at least 2 rows",
      received: n,
    });
  checkLabels("neighborLabelError", labels, n);
  let errors = 0;
  for (let i = 0; i < n; i++) if (labels[nearest(X, n, p, i)] !== labels[i]) errors++;
  return errors / n;
}
function nearest(X, n, p, i) {
  let best = i === 0 ? 1 : 0;
  let least = Number.POSITIVE_INFINITY;
  for (let j = 0; j < n; j++) {
    if (j === i) continue;
    let d = 0;
    for (let t = 0; t < p; t++) {
      const u = X[i * p + t] - X[j * p + t];
      d += u * u;
    }
    if (d < least) {
      least = d;
      best = j;
    }
  }
  return best;
}

// src/metrics/retrieval.ts
var usualRanks = [1, 5, 10, 20, 40, 60, 80, 100];
function retrieval(queries, database, options = {}) {
  const asked = checked(queries, "queries");
  const known = checked(database, "database");
  const n = known.places.rows;
  const ranks = ranksOf(options, n);
  const relevant = new Float64Array(ranks.length);
  const recalled = new Float64Array(ranks.length);
  let counted = 0;
  let precisions = 0;
  for (let q = 0; q < asked.places.rows; q++) {
    const hits = hitsBy(asked, q, known);
    const R = hits[n];
    if (R === 0) continue;
    counted++;
    precisions += averagePrecision(hits);
    for (const [at, K] of ranks.entries()) {
      relevant[at] += hits[K] / K;
      recalled[at] += hits[K] / R;
    }
  }
  if (counted === 0)
    throw new CurvatureError("ERR_SHAPE", "retrieval: no query has an object of its class in the database.", {
      path: "queries",
    });
  return {
    queries: counted,
    at: ranks.map((K, at) => ({ K, precision: relevant[at] / counted, recall: recalled[at] / counted })),
    meanAveragePrecision: precisions / counted,
  };
}
function checked(given, name) {
  if (typeof given !== "object" || given === null)
    throw new CurvatureError("ERR_SHAPE", `retrieval: ${name} must be { places, labels }.`, {
      path: name,
      received: given,
    });
  const places = toDense(given.places, `${name}.places`);
  if (places.rows === 0)
    throw new CurvatureError("ERR_SHAPE", `retrieval: ${name}.places has no rows.`, { path: name });
  checkLabels(`retrieval: ${name}`, given.labels, places.rows);
  return { places, labels: given.labels };
}
function ranksOf(options, n) {
  if (typeof options !== "object" || options === null)
    throw badOption("retrieval", "options", "an object", options);
  const unknown = Object.keys(options).find((name) => name !== "at");
  if (unknown !== void 0) throw badOption("retrieval", "the option", '"at"', unknown);
  const { at } = options;
  if (at === void 0) return usualRanks.filter((K) => K <= n);
  if (!Array.isArray(at) || !at.every((K) => Number.isSafeInteger(K) && K >= 1 && K <= n))
    throw badOption("retrieval", "at", `whole numbers from 1 to ${n}, the size of the database`, at);
  return at;
}
function hitsBy(asked, q, known) {
  const { columns } = asked.places;
  const query = { rows: 1, columns, data: asked.places.data.subarray(q * columns, (q + 1) * columns) };
  const { data: distances } = squaredDistancesBetween(query, known.places);
  const order = Int32Array.from(distances.keys()).sort((a, b) => distances[a] - distances[b] || a - b);
  const hits = new Int32Array(order.length + 1);
  for (let K = 1; K <= order.length; K++)
    hits[K] = hits[K - 1] + Number(known.labels[order[K - 1]] === asked.labels[q]);
  return hits;
}
function averagePrecision(hits) {
  let sum = 0;
  for (let K = 1; K < hits.length; K++) if (hits[K] > hits[K - 1]) sum += hits[K] / K;
  return sum / hits[hits.length - 1];
}

// src/modular.ts
var modularDefaults = Object.freeze({ epochsPerModule: 5 });
function modularSvrg(sum, x, options, svrg2) {
  const { epochsPerModule } = checkOptions("modularSvrg", options, modularDefaults, {
    epochsPerModule: integerFrom(1),
  });
  return new Svrg(sum, x, { ...svrg2, restartEvery: epochsPerModule });
}

// src/triplets/number-set.ts
var NumberSet = class {
  slots;
  mask;
  /** @param most - how many numbers it may hold */
  constructor(most) {
    let size = 16;
    while (size < 2 * most) size *= 2;
    this.slots = new Float64Array(size).fill(-1);
    this.mask = size - 1;
  }
  has(number) {
    return this.slots[this.find(number)] === number;
  }
  /** @returns whether it was not there yet */
  add(number) {
    const slot = this.find(number);
    if (this.slots[slot] === number) return false;
    this.slots[slot] = number;
    return true;
  }
  find(number) {
    const high = Math.floor(number / 4294967296);
    let h = Math.imul((number | 0) ^ Math.imul(high, 3266489909), 2246822507);
    h = Math.imul(h ^ (h >>> 15), 3266489909);
    let slot = (h ^ (h >>> 16)) & this.mask;
    while (this.slots[slot] >= 0 && this.slots[slot] !== number) slot = (slot + 1) & this.mask;
    return slot;
  }
};

// src/triplets/drawn-questions.ts
var MOST_LISTED = 2 ** 27;
function* drawnQuestions(questions, expected, random) {
  const { count } = questions;
  const isSparse3 = expected < count / 4;
  const singly = isSparse3 ? Math.min(Math.floor(count / 2), 2 * expected + 1e3) : 0;
  const taken = new NumberSet(singly);
  for (let drawn = 0; drawn < singly; ) {
    const number = Math.floor(random.uniform() * count);
    if (!taken.add(number)) continue;
    drawn++;
    yield number;
  }
  if (count > MOST_LISTED)
    throw new CurvatureError(
      "ERR_MEMORY",
      `There are ${count} questions of ${questions.objects} objects, too many to list. Ask for fewer of them.`,
      { path: "count", expected: `at most ${MOST_LISTED} questions in all`, received: count },
    );
  for (const number of permutation(random, count)) if (!taken.has(number)) yield number;
}

// src/triplets/questions.ts
var TripletQuestions = class {
  /** @param objects - n; below 2^17, so that all numbers are exact */
  constructor(objects) {
    this.objects = objects;
    this.perAnchor = ((objects - 1) * (objects - 2)) / 2;
    this.count = objects * this.perAnchor;
  }
  objects;
  /** How many there are. */
  count;
  perAnchor;
  /** i, j, k of a question into `out`. */
  write(number, out) {
    const i = Math.floor(number / this.perAnchor);
    const pair = number - i * this.perAnchor;
    let k = Math.floor((1 + Math.sqrt(1 + 8 * pair)) / 2);
    while ((k * (k - 1)) / 2 > pair) k--;
    while ((k * (k + 1)) / 2 <= pair) k++;
    const j = pair - (k * (k - 1)) / 2;
    out[0] = i;
    out[1] = j < i ? j : j + 1;
    out[2] = k < i ? k : k + 1;
  }
  /** The number of the question about i, j and k, in either order of these two. */
  numberOf(i, j, k) {
    const a = j < i ? j : j - 1;
    const b = k < i ? k : k - 1;
    const high = Math.max(a, b);
    return i * this.perAnchor + (high * (high - 1)) / 2 + Math.min(a, b);
  }
};

// src/questions/information-gain.ts
var LOG_2 = log(2);
function expectationOf({ maps, dimensions, rowOf }, i, j, k) {
  if (rowOf[i] < 0 || rowOf[j] < 0 || rowOf[k] < 0) return { gain: 1, probability: 0.5 };
  let mean = 0;
  let known = 0;
  for (const X of maps) {
    const z =
      squaredDistance3(X, dimensions, rowOf[i], rowOf[j]) -
      squaredDistance3(X, dimensions, rowOf[i], rowOf[k]);
    const p = z >= 0 ? exp(-z) / (1 + exp(-z)) : 1 / (1 + exp(z));
    mean += p / maps.length;
    known += entropy(p) / maps.length;
  }
  return { gain: Math.max(0, entropy(mean) - known), probability: mean };
}
function entropy(p) {
  return p <= 0 || p >= 1 ? 0 : -(p * log(p) + (1 - p) * log(1 - p)) / LOG_2;
}
function squaredDistance3(X, p, i, j) {
  let sum = 0;
  for (let t = 0; t < p; t++) {
    const u = X[i * p + t] - X[j * p + t];
    sum += u * u;
  }
  return sum;
}

// src/questions/select-questions.ts
var questionDefaults = Object.freeze({
  count: void 0,
  objects: void 0,
  dimensions: 2,
  embedding: void 0,
  randomFirst: void 0,
  repeat: false,
  seed: 0,
  signal: void 0,
});
var FIT = { loss: "ste", ridge: 0.03, iterations: 40 };
var BOOTSTRAPS = 5;
var TOP_SHARE = 0.2;
var LEAST_POOL = 5e3;
var MOST_OBJECTS4 = 1e5;
async function selectQuestions(answers, options = {}) {
  const settings = checkOptions("selectQuestions", options, questionDefaults, {
    count: optional(integerFrom(1)),
    objects: optional(integerFrom(1)),
    dimensions: integerFrom(1),
    embedding: anything,
    randomFirst: optional(integerFrom(0)),
    repeat: flag,
    seed: integerFrom(0),
    signal: anything,
  });
  const { signal, seed } = settings;
  const read = readAnswers(answers, {
    where: "selectQuestions",
    objects: settings.objects,
    degenerate: "drop",
    mayBeEmpty: settings.objects !== void 0,
  });
  const { objects } = read.comparisons;
  if (objects < 3 || objects > MOST_OBJECTS4)
    throw new CurvatureError(
      "ERR_SHAPE",
      `selectQuestions needs from 3 to ${MOST_OBJECTS4} objects; received ${objects}.`,
      { path: "objects", expected: `3 to ${MOST_OBJECTS4}`, received: objects },
    );
  const N = comparisonCount(read.comparisons);
  const questions = new TripletQuestions(objects);
  const count = settings.count ?? Math.ceil(Math.max(10, objects / 3, N / 10));
  const random = new RandomGenerator(seed);
  const asked = settings.repeat ? new NumberSet(0) : askedBefore(read.comparisons.quadruplets, questions);
  if (N === 0 || N < (settings.randomFirst ?? 2 * objects)) {
    const drawn = pool(questions, asked, N, count, random);
    return { strategy: "random", questions: drawn.map((number) => asQuestion(questions, number)) };
  }
  const prepared = prepareAnswers(read);
  checkDimensions2("selectQuestions", settings.dimensions, prepared.comparisons.objects);
  const maps = await sampledMaps(prepared, objects, settings, random);
  const judging = await timed(() => {
    const drawn = pool(questions, asked, N, Math.max(LEAST_POOL, 10 * count), random);
    return drawn.map((number) => judged(asQuestion(questions, number), maps));
  }, signal);
  const best = judging.value.sort((a, b) => b.gain - a.gain);
  const top = best.slice(0, Math.max(count, Math.ceil(TOP_SHARE * best.length)));
  shuffle(random, top);
  return { strategy: "information-gain", questions: top.slice(0, count) };
}
function pool(questions, asked, askedCount, size, random) {
  const found = [];
  for (const number of drawnQuestions(questions, size + askedCount, random)) {
    if (!asked.has(number)) found.push(number);
    if (found.length === size) break;
  }
  return found;
}
function askedBefore(quadruplets, questions) {
  const asked = new NumberSet(quadruplets.length / 4);
  for (let at = 0; at < quadruplets.length; at += 4) {
    const [i, j, l, k] = quadruplets.subarray(at, at + 4);
    if (i === l) asked.add(questions.numberOf(i, j, k));
    else if (i === k) asked.add(questions.numberOf(i, j, l));
    else if (j === l) asked.add(questions.numberOf(j, i, k));
    else if (j === k) asked.add(questions.numberOf(j, i, l));
  }
  return asked;
}
async function sampledMaps(
  { comparisons, questions, placed },
  objects,
  { dimensions, embedding, seed, signal },
  random,
) {
  const begun =
    embedding === void 0 ? void 0 : placedMap(embedding, "embedding", objects, dimensions, placed).data;
  const fit = { ...FIT, dimensions, seed };
  const { value: from } = await timed(() => quickFit(comparisons, { ...fit, from: begun }), signal);
  const groups = byQuestion(questions);
  const maps = [];
  for (let b = 0; b < BOOTSTRAPS; b++) {
    const { value } = await timed(
      () => quickFit(resampled(comparisons, groups, random), { ...fit, from }),
      signal,
    );
    maps.push(value);
  }
  const rowOf = new Int32Array(objects).fill(placed === void 0 ? 0 : -1);
  if (placed === void 0)
    rowOf.forEach((_, object) => {
      rowOf[object] = object;
    });
  else
    placed.forEach((object, r) => {
      rowOf[object] = r;
    });
  return { maps, dimensions, rowOf };
}
function asQuestion(questions, number) {
  const ask = new Int32Array(3);
  questions.write(number, ask);
  const [anchor, first, second] = ask;
  return { anchor, first, second, gain: void 0, probability: void 0 };
}
function judged(question, maps) {
  const { anchor, first, second } = question;
  return { ...question, ...expectationOf(maps, anchor, first, second) };
}

// src/triplets/triplets-from.ts
var tripletDefaults = Object.freeze({
  count: "all",
  test: 0,
  flip: 0,
  noise: 0,
  seed: 0,
});
var MOST_POINTS = 1e5;
var MOST_ANSWERS = 2 ** 26;
function tripletsFromPoints(points, options = {}) {
  const { rows, columns, data } = toDense(points, "points");
  const unit = unitOf(data);
  return tripletsFrom("tripletsFromPoints", rows, options, unit, (i, j) => {
    let d = 0;
    for (let t = 0; t < columns; t++) {
      const u = data[i * columns + t] / unit - data[j * columns + t] / unit;
      d += u * u;
    }
    return d;
  });
}
function tripletsFromDistances(distances, options = {}) {
  const matrix = toDense(distances, "distances");
  checkDistances(matrix);
  const { rows: n, data } = matrix;
  const unit = unitOf(data);
  return tripletsFrom("tripletsFromDistances", n, options, unit, (i, j) => {
    const d = data[Math.max(i, j) * n + Math.min(i, j)] / unit;
    return d * d;
  });
}
function unitOf(data) {
  const largest = maxAbs(data);
  return largest > 1e100 || (largest > 0 && largest < 1e-100) ? largest : 1;
}
function tripletsFrom(where, objects, options, unit, squared) {
  const settings = checkOptions(where, options, tripletDefaults, {
    count: either(integerFrom(1), oneOf("all")),
    test: integerFrom(0),
    flip: between(0, 1),
    noise: nonNegative,
    seed: integerFrom(0),
  });
  if (objects < 3 || objects > MOST_POINTS)
    throw new CurvatureError(
      "ERR_SHAPE",
      `${where} needs from 3 to ${MOST_POINTS} objects; received ${objects}.`,
      { path: "points", expected: `3 to ${MOST_POINTS} rows`, received: objects },
    );
  const questions = new TripletQuestions(objects);
  const wanted = wantedOf(where, settings, questions);
  const random = new RandomGenerator(settings.seed);
  const isPlain = settings.count === "all" && settings.test === 0;
  const quadruplets = new Int32Array(4 * wanted);
  const margins = new Float64Array(wanted);
  const ask = new Int32Array(3);
  let ties = 0;
  let found = 0;
  for (const number of isPlain ? inOrder(questions) : drawnQuestions(questions, wanted, random)) {
    questions.write(number, ask);
    const [i, j, k] = ask;
    const difference = squared(i, j) - squared(i, k);
    if (difference === 0) {
      ties++;
      continue;
    }
    quadruplets.set(difference < 0 ? [i, j, i, k] : [i, k, i, j], 4 * found);
    margins[found++] = Math.abs(difference) * unit * unit;
    if (found === wanted) break;
  }
  if (found === 0)
    throw new CurvatureError(
      "ERR_SHAPE",
      `${where}: all distances of an object to others are the same, so that no question has an answer. Give distances that differ.`,
      { path: "distances" },
    );
  const least = settings.count === "all" ? settings.test + 1 : wanted;
  if (found < least)
    throw badOption(
      where,
      "count",
      `with test at most ${found}, the questions with an answer`,
      settings.count,
    );
  const test = { objects, quadruplets: quadruplets.slice(0, 4 * settings.test) };
  const train = { objects, quadruplets: quadruplets.slice(4 * settings.test, 4 * found) };
  const flipped = addNoise(train.quadruplets, margins.subarray(settings.test, found), settings, random);
  return { train, test, ties, flipped };
}
function wantedOf(where, { count, test }, questions) {
  const wanted = count === "all" ? questions.count : count + test;
  if (wanted > questions.count || (count === "all" && test >= questions.count))
    throw badOption(
      where,
      "count",
      `with test at most ${questions.count}, the questions that there are`,
      count,
    );
  if (wanted > MOST_ANSWERS)
    throw new CurvatureError(
      "ERR_MEMORY",
      `${where}: ${wanted} answers are too many for one array. Take a count of at most ${MOST_ANSWERS}.`,
      { path: "count", expected: `at most ${MOST_ANSWERS}`, received: wanted },
    );
  return wanted;
}
function* inOrder({ count }) {
  for (let number = 0; number < count; number++) yield number;
}
function addNoise(quadruplets, margins, { flip, noise }, random) {
  if (flip === 0 && noise === 0) return 0;
  let flipped = 0;
  for (let q = 0; q < margins.length; q++) {
    const isFlipped = random.uniform() < flip;
    const isWrong = noise > 0 && random.uniform() < 1 - 1 / (1 + exp(-margins[q] / noise));
    if (isFlipped === isWrong) continue;
    const j = quadruplets[4 * q + 1];
    quadruplets[4 * q + 1] = quadruplets[4 * q + 3];
    quadruplets[4 * q + 3] = j;
    flipped++;
  }
  return flipped;
}
function checkDistances({ rows: n, columns, data }) {
  if (n !== columns)
    throw new CurvatureError("ERR_SHAPE", `distances must be square; received ${n} x ${columns}.`, {
      path: "distances",
      expected: "a square matrix",
      received: `${n} x ${columns}`,
    });
  for (let i = 0; i < n; i++) {
    if (data[i * n + i] !== 0) throw badDistance(i, i, data[i * n + i], "0, that of an object to itself");
    for (let j = 0; j < i; j++) {
      const d = data[i * n + j];
      const mirrored = data[j * n + i];
      if (d < 0) throw badDistance(i, j, d, "at least 0");
      if (!(Math.abs(d - mirrored) <= 1e-12 * d))
        throw badDistance(i, j, d, `the same as at row ${j}, column ${i}, which is ${mirrored}`);
    }
  }
}
function badDistance(row, column, received, expected) {
  return new CurvatureError(
    "ERR_ARGUMENT",
    `distances: ${received} at row ${row}, column ${column} (counted from 0) must be ${expected}.`,
    { path: `row ${row}, column ${column}`, expected, received },
  );
}

// ../objectives/dist/chunk-MB4OZ7JB.js
function checkLength2(name, array, length) {
  if (array.length === length) return;
  throw new CurvatureError("ERR_SHAPE", `${name} must have ${length} entries; received ${array.length}.`, {
    path: name,
    expected: `${length} entries`,
    received: array.length,
  });
}

// ../objectives/dist/chunk-CKRXLYPD.js
function softplus2(z) {
  return Math.max(z, 0) + log1p(exp(-Math.abs(z)));
}
function sigmoid2(z) {
  const e = exp(-Math.abs(z));
  const t = 1 / (1 + e);
  return z >= 0 ? t : e * t;
}

// ../objectives/dist/ordinal/index.js
function comparisonCount2(comparisons) {
  checkArrays2(comparisons);
  return comparisons.quadruplets.length / 4;
}
function checkComparisons2(comparisons) {
  checkIndices2(comparisons);
  const { quadruplets } = comparisons;
  if (quadruplets.length === 0)
    throw malformed2("There are no comparisons. Give at least one.", "quadruplets");
  for (let at = 0; at < quadruplets.length; at += 4) {
    const i = quadruplets[at];
    const j = quadruplets[at + 1];
    const l = quadruplets[at + 2];
    const k = quadruplets[at + 3];
    if (i === j || l === k)
      throw wrong2(at, comparisons, `compares the distance of object ${i === j ? i : l} to itself`);
    if ((i === l && j === k) || (i === k && j === l))
      throw wrong2(at, comparisons, "compares a pair to itself");
  }
  checkWeights2(comparisons);
}
function checkIndices2(comparisons) {
  checkArrays2(comparisons);
  const { objects, quadruplets } = comparisons;
  for (let at = 0; at < quadruplets.length; at++)
    if (quadruplets[at] < 0 || quadruplets[at] >= objects)
      throw wrong2(
        at,
        comparisons,
        `names the object ${quadruplets[at]}, but they are from 0 to ${objects - 1}`,
      );
}
function checkArrays2(comparisons) {
  if (typeof comparisons !== "object" || comparisons === null)
    throw malformed2(`Comparisons must be an object; received ${shown(comparisons)}.`, "comparisons");
  const { objects, quadruplets, weights } = comparisons;
  if (objects === void 0 || !Number.isSafeInteger(objects) || objects < 1 || objects > 2 ** 31 - 1)
    throw malformed2(
      `objects must be a whole number from 1 to 2^31 - 1; received ${shown(objects)}.`,
      "objects",
    );
  if (!(quadruplets instanceof Int32Array) || quadruplets.length % 4 !== 0)
    throw malformed2(
      `quadruplets must be an Int32Array of i, j, l, k for each comparison; received ${shown(quadruplets)}${quadruplets instanceof Int32Array ? ` of length ${quadruplets.length}` : ""}.`,
      "quadruplets",
    );
  if (weights !== void 0 && (!(weights instanceof Float64Array) || 4 * weights.length !== quadruplets.length))
    throw malformed2(
      `weights must be a Float64Array of length ${quadruplets.length / 4}, one for each comparison; received ${shown(weights)}.`,
      "weights",
    );
}
function checkWeights2({ weights }) {
  if (weights === void 0) return;
  let sum = 0;
  for (let q = 0; q < weights.length; q++) {
    if (!(weights[q] >= 0 && weights[q] < Number.POSITIVE_INFINITY))
      throw new CurvatureError(
        "ERR_NON_FINITE",
        `Comparison ${q} (counted from 0) has the weight ${weights[q]}. Weights must be finite and at least 0.`,
        { path: `weights[${q}]`, expected: "a finite number of at least 0", received: weights[q] },
      );
    sum += weights[q];
  }
  if (!(sum > 0 && sum < Number.POSITIVE_INFINITY))
    throw malformed2(`The weights must have a finite sum above 0; it is ${sum}.`, "weights");
}
function wrong2(at, { quadruplets }, what) {
  const q = Math.floor(at / 4);
  const indices = Array.from(quadruplets.subarray(4 * q, 4 * q + 4));
  return new CurvatureError(
    "ERR_ARGUMENT",
    `Comparison ${q} (counted from 0), ${indices.join(" ")}, ${what}. Correct or remove it.`,
    { path: `quadruplets[${at}]`, received: indices },
  );
}
function malformed2(message, path) {
  return new CurvatureError("ERR_SHAPE", message, { path });
}
function lossFrom2(kernels) {
  const [d1s, d2s, out, a, c] = Array.from({ length: 5 }, () => new Float64Array(1));
  const value = (d1, d2) => {
    d1s[0] = d1;
    d2s[0] = d2;
    kernels.values(1, d1s, d2s, out);
    return out[0];
  };
  return {
    ...kernels,
    value,
    evaluate(d1, d2, coefficients) {
      const l = value(d1, d2);
      kernels.slopes(1, d1s, d2s, a, c);
      coefficients[0] = a[0];
      coefficients[1] = c[0];
      return l;
    },
  };
}
function ckl2(mu) {
  return lossFrom2({
    name: "ckl",
    description: `ckl, mu ${mu}`,
    values(count, d1, d2, out) {
      for (let q = 0; q < count; q++) out[q] = log1p((d1[q] + mu) / (d2[q] + mu));
    },
    slopes(count, d1, d2, a, c) {
      for (let q = 0; q < count; q++) {
        const near = d1[q] + mu;
        const far = d2[q] + mu;
        const slope = 1 / (near + far);
        a[q] = slope;
        c[q] = -(near / far) * slope;
      }
    },
  });
}
function gnmds2() {
  return lossFrom2({
    name: "gnmds",
    description: "gnmds",
    values(count, d1, d2, out) {
      for (let q = 0; q < count; q++) out[q] = Math.max(0, 1 + d1[q] - d2[q]);
    },
    slopes(count, d1, d2, a, c) {
      for (let q = 0; q < count; q++) {
        const isActive = 1 + d1[q] - d2[q] > 0 ? 1 : 0;
        a[q] = isActive;
        c[q] = -isActive;
      }
    },
  });
}
var SMALLEST2 = 1e-12;
function distance3(squared) {
  return Math.sqrt(squared + SMALLEST2);
}
function logistic2() {
  return lossFrom2({
    name: "logistic",
    description: "logistic",
    values(count, d1, d2, out) {
      for (let q = 0; q < count; q++) out[q] = softplus2(distance3(d1[q]) - distance3(d2[q]));
    },
    slopes(count, d1, d2, a, c) {
      for (let q = 0; q < count; q++) {
        const near = distance3(d1[q]);
        const far = distance3(d2[q]);
        const half = 0.5 * sigmoid2(near - far);
        a[q] = half / near;
        c[q] = -half / far;
      }
    },
  });
}
function smoothHinge2() {
  return lossFrom2({
    name: "smooth-hinge",
    description: "smooth-hinge",
    values(count, d1, d2, out) {
      for (let q = 0; q < count; q++) out[q] = softplus2(1 + d1[q] - d2[q]);
    },
    slopes(count, d1, d2, a, c) {
      for (let q = 0; q < count; q++) {
        const s = sigmoid2(1 + d1[q] - d2[q]);
        a[q] = s;
        c[q] = -s;
      }
    },
  });
}
function soe2() {
  return lossFrom2({
    name: "soe",
    description: "soe",
    values(count, d1, d2, out) {
      for (let q = 0; q < count; q++) {
        const m = Math.max(0, 1 + distance3(d1[q]) - distance3(d2[q]));
        out[q] = m * m;
      }
    },
    slopes(count, d1, d2, a, c) {
      for (let q = 0; q < count; q++) {
        const near = distance3(d1[q]);
        const far = distance3(d2[q]);
        const m = Math.max(0, 1 + near - far);
        a[q] = m / near;
        c[q] = -m / far;
      }
    },
  });
}
function ste2() {
  return lossFrom2({
    name: "ste",
    description: "ste",
    values(count, d1, d2, out) {
      for (let q = 0; q < count; q++) out[q] = softplus2(d1[q] - d2[q]);
    },
    slopes(count, d1, d2, a, c) {
      for (let q = 0; q < count; q++) {
        const s = sigmoid2(d1[q] - d2[q]);
        a[q] = s;
        c[q] = -s;
      }
    },
  });
}
function tste2(alpha) {
  const h = (alpha + 1) / 2;
  return lossFrom2({
    name: "tste",
    description: `tste, alpha ${alpha}`,
    values(count, d1, d2, out) {
      for (let q = 0; q < count; q++) out[q] = softplus2(h * log((alpha + d1[q]) / (alpha + d2[q])));
    },
    slopes(count, d1, d2, a, c) {
      for (let q = 0; q < count; q++) {
        const near = alpha + d1[q];
        const far = alpha + d2[q];
        const slope = h * sigmoid2(h * log(near / far));
        a[q] = slope / near;
        c[q] = -slope / far;
      }
    },
  });
}
var ordinalLossDefaults2 = Object.freeze({ mu: 0.05, alpha: void 0, dimensions: 2 });
var makers2 = {
  gnmds: gnmds2,
  ckl: ({ mu }) => ckl2(mu),
  ste: ste2,
  tste: ({ alpha, dimensions }) => tste2(alpha ?? Math.max(dimensions - 1, 1)),
  soe: soe2,
  logistic: logistic2,
  "smooth-hinge": smoothHinge2,
};
var ordinalLossNames2 = Object.freeze(["gnmds", "ckl", "ste", "tste", "soe", "logistic", "smooth-hinge"]);
function ordinalLoss2(name, options) {
  const settings = checkOptions("ordinalLoss", options, ordinalLossDefaults2, {
    mu: positive,
    alpha: optional(positive),
    dimensions: integerFrom(1),
  });
  if (!ordinalLossNames2.includes(name))
    throw badOption("ordinalLoss", "the name", `one of ${ordinalLossNames2.join(", ")}`, name);
  return makers2[name](settings);
}
var BLOCK7 = 256;
var ComparisonTerms2 = class {
  dimension;
  count;
  objects;
  dimensions;
  quadruplets;
  loss;
  shares;
  ridgeShares;
  fingerprint;
  order = new Int32Array(BLOCK7);
  d1 = new Float64Array(BLOCK7);
  d2 = new Float64Array(BLOCK7);
  l = new Float64Array(BLOCK7);
  a = new Float64Array(BLOCK7);
  c = new Float64Array(BLOCK7);
  rowsOfTerm = new Int32Array(4);
  constructor(comparisons, loss, dimensions, ridge, fingerprint) {
    this.objects = comparisons.objects;
    this.dimensions = dimensions;
    this.dimension = comparisons.objects * dimensions;
    this.count = comparisonCount2(comparisons);
    this.quadruplets = comparisons.quadruplets;
    this.loss = loss;
    this.fingerprint = fingerprint;
    this.shares = comparisons.weights === void 0 ? void 0 : sharesOf2(comparisons.weights);
    this.ridgeShares = ridge === 0 ? void 0 : this.ridgeSharesOf(ridge / comparisons.objects);
  }
  evaluate(index, X, gradient) {
    this.order[0] = index;
    return this.begin(X, gradient) + this.block(1, X, gradient) + this.ridgeOfBlock(1, X, gradient);
  }
  evaluateBatch(indices, X, gradient) {
    const { order } = this;
    let value = this.begin(X, gradient);
    for (let start = 0; start < indices.length; start += BLOCK7) {
      const count = Math.min(BLOCK7, indices.length - start);
      for (let k = 0; k < count; k++) order[k] = indices[start + k];
      value += this.block(count, X, gradient) + this.ridgeOfBlock(count, X, gradient);
    }
    return value;
  }
  /** Σ_q s_q l_q of all terms, the ridge left out. */
  evaluateLosses(X, gradient) {
    const { order, count: N } = this;
    let value = this.begin(X, gradient);
    for (let start = 0; start < N; start += BLOCK7) {
      const count = Math.min(BLOCK7, N - start);
      for (let k = 0; k < count; k++) order[k] = start + k;
      value += this.block(count, X, gradient);
    }
    return value;
  }
  evaluateSparse(index, X, coordinates, entries) {
    const { dimensions: p, quadruplets, rowsOfTerm, order, a, c, ridgeShares } = this;
    order[0] = index;
    this.measure(1, X);
    this.loss.values(1, this.d1, this.d2, this.l);
    this.loss.slopes(1, this.d1, this.d2, a, c);
    const share = this.shareOf(index);
    let value = share * this.l[0];
    const rows = this.rowsOf(index);
    for (let r = 0; r < rows; r++) {
      const row = rowsOfTerm[r] * p;
      const rho = ridgeShares === void 0 ? 0 : ridgeShares[rowsOfTerm[r]];
      for (let t = 0; t < p; t++) {
        coordinates[r * p + t] = row + t;
        entries[r * p + t] = rho * X[row + t];
        value += 0.5 * rho * X[row + t] * X[row + t];
      }
    }
    const near = 2 * share * a[0];
    const far = 2 * share * c[0];
    const at = 4 * index;
    const i = quadruplets[at];
    const j = quadruplets[at + 1];
    const l = quadruplets[at + 2];
    const k = quadruplets[at + 3];
    const placeL = (l === i ? 0 : l === j ? 1 : 2) * p;
    const placeK = (k === i ? 0 : k === j ? 1 : rows - 1) * p;
    for (let t = 0; t < p; t++) {
      const u = near * (X[i * p + t] - X[j * p + t]);
      const w = far * (X[l * p + t] - X[k * p + t]);
      entries[t] += u;
      entries[p + t] -= u;
      entries[placeL + t] += w;
      entries[placeK + t] -= w;
    }
    return { value, touched: rows * p };
  }
  begin(X, gradient) {
    checkLength2("X", X, this.dimension);
    if (gradient !== void 0) {
      checkLength2("the gradient", gradient, this.dimension);
      gradient.fill(0);
    }
    return 0;
  }
  shareOf(index) {
    return this.shares === void 0 ? 1 / this.count : this.shares[index];
  }
  /** d₁ and d₂ of the first `count` terms in `order`. */
  measure(count, X) {
    const { quadruplets, order, d1, d2, dimensions: p } = this;
    for (let q = 0; q < count; q++) {
      const at = 4 * order[q];
      const i = quadruplets[at] * p;
      const j = quadruplets[at + 1] * p;
      const l = quadruplets[at + 2] * p;
      const k = quadruplets[at + 3] * p;
      let near = 0;
      let far = 0;
      for (let t = 0; t < p; t++) {
        const u = X[i + t] - X[j + t];
        const w = X[l + t] - X[k + t];
        near += u * u;
        far += w * w;
      }
      d1[q] = near;
      d2[q] = far;
    }
  }
  /** Σ s l of the first `count` terms in `order`, and their gradients added to `gradient`. */
  block(count, X, gradient) {
    const { order, l, a, c, d1, d2, shares, loss } = this;
    this.measure(count, X);
    loss.values(count, d1, d2, l);
    const even = 1 / this.count;
    let value = 0;
    for (let q = 0; q < count; q++) value += (shares === void 0 ? even : shares[order[q]]) * l[q];
    if (gradient === void 0) return value;
    loss.slopes(count, d1, d2, a, c);
    for (let q = 0; q < count; q++) {
      const twice = 2 * (shares === void 0 ? even : shares[order[q]]);
      a[q] *= twice;
      c[q] *= twice;
    }
    this.scatter(count, X, gradient);
    return value;
  }
  scatter(count, X, gradient) {
    const { quadruplets, order, a, c, dimensions: p } = this;
    for (let q = 0; q < count; q++) {
      const at = 4 * order[q];
      const i = quadruplets[at] * p;
      const j = quadruplets[at + 1] * p;
      const l = quadruplets[at + 2] * p;
      const k = quadruplets[at + 3] * p;
      const near = a[q];
      const far = c[q];
      for (let t = 0; t < p; t++) {
        const u = near * (X[i + t] - X[j + t]);
        const w = far * (X[l + t] - X[k + t]);
        gradient[i + t] += u;
        gradient[j + t] -= u;
        gradient[l + t] += w;
        gradient[k + t] -= w;
      }
    }
  }
  ridgeOfBlock(count, X, gradient) {
    const { ridgeShares, rowsOfTerm, order, dimensions: p } = this;
    if (ridgeShares === void 0) return 0;
    let value = 0;
    for (let q = 0; q < count; q++) {
      const rows = this.rowsOf(order[q]);
      for (let r = 0; r < rows; r++) {
        const rho = ridgeShares[rowsOfTerm[r]];
        const start = rowsOfTerm[r] * p;
        for (let at = start; at < start + p; at++) {
          value += 0.5 * rho * X[at] * X[at];
          if (gradient !== void 0) gradient[at] += rho * X[at];
        }
      }
    }
    return value;
  }
  /** Writes the different rows of a term, and says how many they are. */
  rowsOf(index) {
    const { quadruplets, rowsOfTerm } = this;
    const at = 4 * index;
    const i = quadruplets[at];
    const j = quadruplets[at + 1];
    const l = quadruplets[at + 2];
    const k = quadruplets[at + 3];
    let rows = 2;
    rowsOfTerm[0] = i;
    rowsOfTerm[1] = j;
    if (l !== i && l !== j) rowsOfTerm[rows++] = l;
    if (k !== i && k !== j) rowsOfTerm[rows++] = k;
    return rows;
  }
  ridgeSharesOf(perRow) {
    const shares = new Float64Array(this.objects);
    for (let q = 0; q < this.count; q++) {
      const rows = this.rowsOf(q);
      for (let r = 0; r < rows; r++) shares[this.rowsOfTerm[r]]++;
    }
    for (let r = 0; r < shares.length; r++) shares[r] = shares[r] > 0 ? perRow / shares[r] : 0;
    return shares;
  }
};
function sharesOf2(weights) {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}
var ordinalObjectiveDefaults2 = Object.freeze({ ridge: 0, mu: 0.05, alpha: void 0 });
function ordinalObjective2(comparisons, loss, dimensions, options) {
  const { ridge, mu, alpha } = checkOptions("ordinalObjective", options, ordinalObjectiveDefaults2, {
    ridge: nonNegative,
    mu: positive,
    alpha: optional(positive),
  });
  checkComparisons2(comparisons);
  checkDimensions3(dimensions, comparisons.objects);
  const used =
    typeof loss === "string"
      ? ordinalLoss2(loss, { mu, dimensions, ...(alpha === void 0 ? {} : { alpha }) })
      : loss;
  checkLoss2(used);
  const fingerprint = fingerprintOf(
    "ordinal",
    used.description,
    comparisons.objects,
    dimensions,
    ridge,
    comparisons.quadruplets,
    comparisons.weights ?? "even",
  );
  return new MeanLoss2(comparisons, used, dimensions, ridge, fingerprint);
}
var MeanLoss2 = class {
  constructor(comparisons, loss, dimensions, ridge, fingerprint) {
    this.comparisons = comparisons;
    this.loss = loss;
    this.dimensions = dimensions;
    this.ridge = ridge;
    this.fingerprint = fingerprint;
    this.sum = new ComparisonTerms2(comparisons, loss, dimensions, ridge, fingerprint);
    this.dimension = this.sum.dimension;
  }
  comparisons;
  loss;
  dimensions;
  ridge;
  fingerprint;
  dimension;
  sum;
  evaluate(X, gradient) {
    return this.sum.evaluateLosses(X, gradient) + this.evaluateRidge(X, gradient);
  }
  evaluateRidge(X, gradient) {
    const { ridgeShares } = this.sum;
    if (ridgeShares === void 0) return 0;
    const p = this.dimensions;
    const perRow = this.ridge / this.comparisons.objects;
    let squares = 0;
    for (let r = 0; r < ridgeShares.length; r++) {
      if (ridgeShares[r] === 0) continue;
      for (let at = r * p; at < (r + 1) * p; at++) {
        squares += X[at] * X[at];
        if (gradient !== void 0) gradient[at] += perRow * X[at];
      }
    }
    return 0.5 * perRow * squares;
  }
};
function errorShare2(comparisons, X) {
  checkIndices2(comparisons);
  const { objects, quadruplets, weights } = comparisons;
  const p = X instanceof Float64Array ? X.length / objects : 0;
  if (!Number.isSafeInteger(p) || p < 1)
    throw new CurvatureError(
      "ERR_SHAPE",
      `X must be a Float64Array with the same number of coordinates for each of the ${objects} objects; received ${shown(X)}.`,
      { path: "X", received: X },
    );
  if (quadruplets.length === 0)
    throw new CurvatureError("ERR_SHAPE", "There are no comparisons, so no share of them can be wrong.", {
      path: "quadruplets",
    });
  let errors = 0;
  let total = 0;
  for (let at = 0; at < quadruplets.length; at += 4) {
    const weight = weights === void 0 ? 1 : weights[at / 4];
    const near = squaredDistance4(X, p, quadruplets[at], quadruplets[at + 1]);
    const far = squaredDistance4(X, p, quadruplets[at + 2], quadruplets[at + 3]);
    if (!(near < far)) errors += weight;
    total += weight;
  }
  return errors / total;
}
function squaredDistance4(X, p, i, j) {
  let sum = 0;
  for (let t = 0; t < p; t++) {
    const u = X[i * p + t] - X[j * p + t];
    sum += u * u;
  }
  return sum;
}
function checkDimensions3(dimensions, objects) {
  if (Number.isSafeInteger(dimensions) && Number(dimensions) >= 1 && Number(dimensions) * objects < 2 ** 31)
    return;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `ordinalObjective: dimensions must be a whole number of at least 1, and less than 2^31 coordinates in all; received ${shown(dimensions)}.`,
    { path: "dimensions", expected: "a whole number of at least 1", received: dimensions },
  );
}
function checkLoss2(loss) {
  const isLoss =
    typeof loss === "object" &&
    loss !== null &&
    "description" in loss &&
    typeof loss.description === "string" &&
    "values" in loss &&
    typeof loss.values === "function" &&
    "slopes" in loss &&
    typeof loss.slopes === "function";
  if (!isLoss)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `ordinalObjective: the loss must be a name or come from ordinalLoss; received ${shown(loss)}.`,
      { path: "loss", received: loss },
    );
}

// ../optim-core/dist/chunk-CEIOAHSX.js
function littleEndianBytes2(array, machineIsLittle = isLittleEndian2()) {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  return machineIsLittle ? bytes : swapped2(bytes, array.BYTES_PER_ELEMENT);
}
function fromLittleEndian2(make, bytes, elementBytes, machineIsLittle = isLittleEndian2()) {
  const own = machineIsLittle ? bytes.slice() : swapped2(bytes, elementBytes);
  return new make(own.buffer);
}
function swapped2(bytes, elementBytes) {
  const result = new Uint8Array(bytes.length);
  for (let start = 0; start < bytes.length; start += elementBytes)
    for (let k = 0; k < elementBytes; k++) result[start + k] = bytes[start + elementBytes - 1 - k];
  return result;
}
function isLittleEndian2() {
  return new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;
}
var C12 = 597399067;
var C22 = 2869860233;
var C32 = 951274213;
var C42 = 2716044179;
function hash1282(bytes, seed = 0) {
  const view2 = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = bytes.byteLength;
  const end = length - (length % 16);
  let h1 = seed | 0;
  let h2 = h1;
  let h3 = h1;
  let h4 = h1;
  for (let at = 0; at < end; at += 16) {
    h1 = (h1 ^ mix2(view2.getInt32(at, true), C12, 15, C22)) | 0;
    h1 = (Math.imul((rotated2(h1, 19) + h2) | 0, 5) + 1444728091) | 0;
    h2 = (h2 ^ mix2(view2.getInt32(at + 4, true), C22, 16, C32)) | 0;
    h2 = (Math.imul((rotated2(h2, 17) + h3) | 0, 5) + 197830471) | 0;
    h3 = (h3 ^ mix2(view2.getInt32(at + 8, true), C32, 17, C42)) | 0;
    h3 = (Math.imul((rotated2(h3, 15) + h4) | 0, 5) + 2530024501) | 0;
    h4 = (h4 ^ mix2(view2.getInt32(at + 12, true), C42, 18, C12)) | 0;
    h4 = (Math.imul((rotated2(h4, 13) + h1) | 0, 5) + 850148119) | 0;
  }
  const tail = new DataView(new ArrayBuffer(16));
  for (let k = end; k < length; k++) tail.setUint8(k - end, bytes[k]);
  h1 ^= mix2(tail.getInt32(0, true), C12, 15, C22) ^ length;
  h2 ^= mix2(tail.getInt32(4, true), C22, 16, C32) ^ length;
  h3 ^= mix2(tail.getInt32(8, true), C32, 17, C42) ^ length;
  h4 ^= mix2(tail.getInt32(12, true), C42, 18, C12) ^ length;
  h1 = (h1 + h2 + h3 + h4) | 0;
  h2 = avalanche2(h2 + h1);
  h3 = avalanche2(h3 + h1);
  h4 = avalanche2(h4 + h1);
  h1 = (avalanche2(h1) + h2 + h3 + h4) | 0;
  return Uint32Array.of(h1, h2 + h1, h3 + h1, h4 + h1);
}
var rotated2 = (word, by) => (word << by) | (word >>> (32 - by));
var mix2 = (word, first, by, second) => Math.imul(rotated2(Math.imul(word, first), by), second);
function avalanche2(sum) {
  let h = sum | 0;
  h = Math.imul(h ^ (h >>> 16), 2246822507);
  h = Math.imul(h ^ (h >>> 13), 3266489909);
  return h ^ (h >>> 16);
}
var FORM_VERSION2 = 1;
var HEADER_AT2 = 16;
var CHECKSUM_BYTES2 = 16;
var MAX_DEPTH2 = 64;
function encode2(magic, value) {
  const writer = new TreeWriter2();
  const header = new TextEncoder().encode(JSON.stringify(writer.write(value, "", 0)));
  const arraysAt = aligned2(HEADER_AT2 + header.length);
  const bytes = new Uint8Array(arraysAt + writer.arrayBytes + CHECKSUM_BYTES2);
  const view2 = new DataView(bytes.buffer);
  bytes.set(magicBytes2(magic));
  view2.setUint32(8, FORM_VERSION2, true);
  view2.setUint32(12, header.length, true);
  bytes.set(header, HEADER_AT2);
  let at = arraysAt;
  for (const array of writer.arrays) {
    bytes.set(littleEndianBytes2(array), at);
    at = aligned2(at + array.byteLength);
  }
  bytes.set(checksum2(bytes.subarray(0, at)), at);
  return bytes;
}
function decode2(magic, given) {
  if (!(given instanceof Uint8Array)) throw damaged2("is not a Uint8Array", shown(given));
  const bytes = new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
  if (bytes.length < HEADER_AT2 + CHECKSUM_BYTES2) throw damaged2("is too short", `${bytes.length} bytes`);
  const view2 = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (magicBytes2(magic).some((byte, k) => byte !== bytes[k]))
    throw damaged2("does not begin with its mark", "");
  const version = view2.getUint32(8, true);
  if (version !== FORM_VERSION2)
    throw damaged2(`is of version ${version} of the form; this library reads ${FORM_VERSION2}`, "");
  const headerBytes = view2.getUint32(12, true);
  const end = bytes.length - CHECKSUM_BYTES2;
  const arraysAt = aligned2(HEADER_AT2 + headerBytes);
  if (arraysAt > end) throw damaged2("is cut short", `${bytes.length} bytes`);
  if (checksum2(bytes.subarray(0, end)).some((byte, k) => byte !== bytes[end + k]))
    throw damaged2("does not agree with its checksum: it was cut short or changed", "");
  const arrays = { bytes: bytes.subarray(arraysAt, end), at: 0 };
  const value = readTree2(parsed2(bytes.subarray(HEADER_AT2, HEADER_AT2 + headerBytes)), arrays, 0);
  if (arrays.at !== arrays.bytes.length)
    throw damaged2("has arrays that its header does not name", `${arrays.bytes.length - arrays.at} bytes`);
  return value;
}
var TreeWriter2 = class {
  arrays = [];
  arrayBytes = 0;
  write(value, path, depth) {
    if (depth > MAX_DEPTH2) throw unplain2(path, `nested deeper than ${MAX_DEPTH2}`);
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    if (value === void 0) return ["u"];
    if (typeof value === "number")
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : ["n", Object.is(value, -0) ? "-0" : `${value}`];
    const kind = kindOf2(value);
    if (kind !== void 0) return this.array(kind.tag, kind.array);
    if (Array.isArray(value)) {
      const numbers = asNumbers2(value);
      if (numbers !== void 0) return this.array("l", numbers);
      return ["a", ...Array.from(value, (item, k) => this.write(item, `${path}[${k}]`, depth + 1))];
    }
    return this.object(value, path, depth);
  }
  array(tag, array) {
    const offset = this.arrayBytes;
    this.arrays.push(array);
    this.arrayBytes = aligned2(offset + array.byteLength);
    return [tag, offset, array.length];
  }
  object(value, path, depth) {
    if (typeof value !== "object" || value === null) throw unplain2(path, shown(value));
    const prototype = Object.getPrototypeOf(value);
    if (prototype !== null && prototype !== Object.prototype) throw unplain2(path, shown(value));
    const entries = ["o"];
    for (const [key, item] of Object.entries(value)) {
      if (key === "__proto__") throw unplain2(path, 'a key "__proto__"');
      entries.push(key, this.write(item, path === "" ? key : `${path}.${key}`, depth + 1));
    }
    return entries;
  }
};
function asNumbers2(items) {
  if (items.length === 0) return void 0;
  const numbers = new Float64Array(items.length);
  for (let k = 0; k < items.length; k++) {
    const item = items[k];
    if (typeof item !== "number") return void 0;
    numbers[k] = item;
  }
  return numbers;
}
function kindOf2(value) {
  if (value instanceof Float64Array) return { tag: "f64", array: value };
  if (value instanceof Float32Array) return { tag: "f32", array: value };
  if (value instanceof Int32Array) return { tag: "i32", array: value };
  if (value instanceof Uint32Array) return { tag: "u32", array: value };
  if (value instanceof Uint8Array) return { tag: "u8", array: value };
  return void 0;
}
function readTree2(node, arrays, depth) {
  if (node === null || typeof node === "number" || typeof node === "string" || typeof node === "boolean")
    return node;
  if (!Array.isArray(node) || depth > MAX_DEPTH2)
    throw damaged2("has a header that it cannot have", shown(node));
  switch (node[0]) {
    case "u":
      return void 0;
    case "n":
      return special2(node[1]);
    case "a":
      return node.slice(1).map((item) => readTree2(item, arrays, depth + 1));
    case "o":
      return readObject2(node, arrays, depth);
    case "l":
      return Array.from(fromLittleEndian2(Float64Array, span2(node, arrays, 8), 8));
    case "f64":
      return fromLittleEndian2(Float64Array, span2(node, arrays, 8), 8);
    case "f32":
      return fromLittleEndian2(Float32Array, span2(node, arrays, 4), 4);
    case "i32":
      return fromLittleEndian2(Int32Array, span2(node, arrays, 4), 4);
    case "u32":
      return fromLittleEndian2(Uint32Array, span2(node, arrays, 4), 4);
    case "u8":
      return span2(node, arrays, 1).slice();
    default:
      throw damaged2("has a header with an unknown tag", shown(node[0]));
  }
}
function readObject2(node, arrays, depth) {
  const result = {};
  for (let k = 1; k < node.length; k += 2) {
    const key = node[k];
    if (typeof key !== "string" || key === "__proto__" || k + 1 === node.length)
      throw damaged2("has a header with a key that it cannot have", shown(key));
    result[key] = readTree2(node[k + 1], arrays, depth + 1);
  }
  return result;
}
function span2([, offset, length], arrays, elementBytes) {
  const { bytes, at } = arrays;
  const isInside =
    offset === at &&
    typeof length === "number" &&
    Number.isSafeInteger(length) &&
    length >= 0 &&
    at + length * elementBytes <= bytes.length;
  if (!isInside) throw damaged2("names an array that is not in it", `${shown(offset)}, ${shown(length)}`);
  const end = at + length * elementBytes;
  arrays.at = aligned2(end);
  return bytes.subarray(at, end);
}
function special2(text2) {
  if (text2 === "-0") return -0;
  if (text2 === "NaN") return Number.NaN;
  if (text2 === "Infinity") return Number.POSITIVE_INFINITY;
  if (text2 === "-Infinity") return Number.NEGATIVE_INFINITY;
  throw damaged2("has a header with an unknown number", shown(text2));
}
function parsed2(header) {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(header));
  } catch (cause) {
    throw damaged2("has a header that is not JSON", "", cause);
  }
}
function checksum2(bytes) {
  return littleEndianBytes2(hash1282(bytes));
}
function magicBytes2(magic) {
  return new TextEncoder().encode(magic.padEnd(8).slice(0, 8));
}
var aligned2 = (offset) => Math.ceil(offset / 8) * 8;
function unplain2(path, what) {
  return new CurvatureError(
    "ERR_CHECKPOINT",
    `A checkpoint holds plain data (numbers, strings, booleans, null, typed arrays, arrays and objects of these); found ${what} at ${path || "its root"}.`,
    { path, received: what },
  );
}
function damaged2(what, received, cause) {
  const seen = received === "" ? "" : ` (${received})`;
  return new CurvatureError(
    "ERR_CHECKPOINT",
    `The checkpoint ${what}${seen}. Use an earlier one, or start anew.`,
    {
      received,
      cause,
    },
  );
}
function isPlainObject2(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}
var statuses2 = [
  "converged",
  "target-reached",
  "max-iterations",
  "max-evaluations",
  "time-limit",
  "aborted",
  "stalled",
  "diverged",
  "failed",
];
function isStatus2(value) {
  return statuses2.some((status) => status === value);
}
var MAGIC2 = "CURVRUN";
function encodeCheckpoint2(checkpoint) {
  return encode2(MAGIC2, checkpoint);
}
function decodeCheckpoint2(bytes) {
  const value = decode2(MAGIC2, bytes);
  if (!isCheckpoint2(value))
    throw new CurvatureError(
      "ERR_CHECKPOINT",
      "The checkpoint is readable but not complete. It was not written by a run.",
      { received: shown(value) },
    );
  return value;
}
function checkOrigin2({ solver, dimension, fingerprint }, target) {
  if (solver.solver !== target.name) throw foreign2("solver", solver.solver, target.name);
  if (dimension !== target.dimension) throw foreign2("dimension", dimension, target.dimension);
  if (fingerprint !== target.fingerprint) throw foreign2("fingerprint", fingerprint, target.fingerprint);
}
function foreign2(what, received, expected) {
  const advice =
    what === "fingerprint"
      ? "Resume it with the data and options that it was written with"
      : "Resume it where it was written";
  return new CurvatureError(
    "ERR_CHECKPOINT",
    `The checkpoint is of another ${what}: it has ${shown(received)}, this run has ${shown(expected)}. ${advice}, or start anew.`,
    { path: what, expected: String(expected), received },
  );
}
function isCheckpoint2(value) {
  return (
    isPlainObject2(value) &&
    "solver" in value &&
    isSnapshot22(value.solver) &&
    "dimension" in value &&
    typeof value.dimension === "number" &&
    "fingerprint" in value &&
    typeof value.fingerprint === "string" &&
    "run" in value &&
    isProgress2(value.run)
  );
}
function isSnapshot22(value) {
  return (
    isPlainObject2(value) &&
    "solver" in value &&
    typeof value.solver === "string" &&
    "version" in value &&
    typeof value.version === "number" &&
    "state" in value &&
    isSnapshotValue2(value.state)
  );
}
function isProgress2(value) {
  return (
    isPlainObject2(value) &&
    "elapsedSeconds" in value &&
    typeof value.elapsedSeconds === "number" &&
    value.elapsedSeconds >= 0 &&
    "gradientNorm" in value &&
    isNumberOrUndefined2(value.gradientNorm) &&
    "latest" in value &&
    (value.latest === void 0 || isIteration2(value.latest)) &&
    "history" in value &&
    Array.isArray(value.history) &&
    value.history.every(isIteration2) &&
    "tests" in value &&
    isPlainObject2(value.tests) &&
    Object.values(value.tests).every(isSnapshotValue2) &&
    "ending" in value &&
    (value.ending === void 0 || isEnding2(value.ending))
  );
}
function isEnding2(value) {
  return (
    isPlainObject2(value) &&
    "status" in value &&
    isStatus2(value.status) &&
    "message" in value &&
    typeof value.message === "string" &&
    "by" in value &&
    (value.by === "solver" || value.by === "rule" || value.by === "user" || value.by === "failure") &&
    "rule" in value &&
    typeof value.rule === "string"
  );
}
var counters3 = ["index", "evaluations", "gradientEvaluations", "monitoringEvaluations", "passes"];
var measures2 = ["value", "gradientNorm", "stepLength"];
function isIteration2(value) {
  if (!isPlainObject2(value)) return false;
  const fields = new Map(Object.entries(value));
  return (
    counters3.every((name) => typeof fields.get(name) === "number") &&
    measures2.every((name) => isNumberOrUndefined2(fields.get(name))) &&
    typeof fields.get("phase") === "string" &&
    fields.has("details") &&
    isOutcome2(fields.get("outcome"))
  );
}
function isOutcome2(value) {
  if (value === void 0) return true;
  return (
    isPlainObject2(value) &&
    "status" in value &&
    isStatus2(value.status) &&
    "message" in value &&
    typeof value.message === "string"
  );
}
function isSnapshotValue2(value) {
  if (value === void 0) return false;
  if (Array.isArray(value)) return value.every(isSnapshotValue2);
  return !isPlainObject2(value) || Object.values(value).every(isSnapshotValue2);
}
var isNumberOrUndefined2 = (value) => value === void 0 || typeof value === "number";
function rule3(description, check) {
  return { description, start: () => ({ check }) };
}
function maxIterations2(limit) {
  checkLimit2("maxIterations", limit);
  return rule3(`iterations >= ${limit}`, ({ index }) =>
    index >= limit ? stop2("max-iterations", `${index} iterations are made, ${limit} were allowed.`) : void 0,
  );
}
function maxPasses2(limit) {
  checkLimit2("maxPasses", limit);
  return rule3(`passes >= ${limit}`, ({ passes }) =>
    passes >= limit
      ? stop2("max-iterations", `${shortly2(passes)} passes are made, ${limit} were allowed.`)
      : void 0,
  );
}
function anyOf2(...rules2) {
  const any = composed3("or", rules2, (stops) => (stops.length > 0 ? leading3(stops) : void 0));
  return { ...any, alternatives: rules2.flatMap(alternativesOf2) };
}
function composed3(word, rules2, decide) {
  const where = word === "or" ? "anyOf" : "allOf";
  for (const [k, given] of rules2.entries()) checkRule2(given, `${where}: rule ${k}`);
  return {
    description:
      rules2.length === 0 ? "never" : rules2.map((r) => bracketed2(r.description, rules2)).join(` ${word} `),
    start(context) {
      const tests = rules2.map((r) => r.start(context));
      const fired = [];
      return {
        check(iteration, now) {
          fired.length = 0;
          for (let k = 0; k < tests.length; k++) {
            const stopped = tests[k].check(iteration, now);
            if (stopped !== void 0) fired.push({ rule: rules2[k].description, ...stopped });
          }
          return decide(fired);
        },
        save: (states) => {
          for (const test of tests) test.save?.(states);
        },
        restore: (states) => {
          for (const test of tests) test.restore?.(states);
        },
      };
    },
  };
}
var alternativesOf2 = ({ description, alternatives = [description] }) => alternatives;
function checkRule2(given, where) {
  const isRule =
    typeof given === "object" &&
    given !== null &&
    "description" in given &&
    typeof given.description === "string" &&
    "start" in given &&
    typeof given.start === "function";
  if (!isRule) throw badOption(where, "stop", "a stopping rule such as maxIterations(100)", given);
}
var bracketed2 = (description, siblings) =>
  siblings.length > 1 && / (or|and) /.test(description) ? `(${description})` : description;
var precedence2 = ["time-limit", "max-evaluations", "max-iterations"];
var rank2 = ({ status }) => {
  if (status === "target-reached") return 5;
  if (status === "converged") return 4;
  const limit = precedence2.indexOf(status);
  return limit < 0 ? 3 : limit;
};
function leading3(stops) {
  return stops.reduce((first, other) => (rank2(other) > rank2(first) ? other : first));
}
var stop2 = (status, message) => ({ status, message });
var shortly2 = (value) => String(Number(value.toPrecision(6)));
function checkLimit2(where, limit) {
  if (typeof limit !== "number" || !(limit >= 0))
    throw badOption(where, "limit", "a number of at least 0, or Infinity", limit);
}
var runDefaults2 = Object.freeze({ maxIterations: 1e4, yieldEvery: 16, history: false });
var fromZero2 = (unit) => ({
  expected: `${unit} of at least 0, or Infinity`,
  accepts: (value) => typeof value === "number" && value >= 0,
});
var runRules2 = {
  stop: anything,
  onIteration: optional(callback),
  signal: optional({ expected: "an AbortSignal", accepts: isSignal2 }),
  yieldEvery: fromZero2("a number of milliseconds"),
  checkpoint: anything,
  resume: optional({
    expected: "a checkpoint (Uint8Array)",
    accepts: (value) => value instanceof Uint8Array,
  }),
  history: either(flag, integerFrom(0)),
};
var checkpointRules2 = {
  write: callback,
  everySeconds: fromZero2("a number of seconds"),
  everyIterations: fromZero2("a number of iterations"),
};
function checkRunOptions2(where, options) {
  const given = checkOptions(where, options, noOptions2, runRules2);
  return {
    ...given,
    stop: asRule2(where, given.stop),
    checkpoint: checkpointSettings2(where, given.checkpoint),
  };
}
var noOptions2 = Object.freeze({
  stop: void 0,
  onIteration: void 0,
  signal: void 0,
  yieldEvery: runDefaults2.yieldEvery,
  checkpoint: void 0,
  resume: void 0,
  history: runDefaults2.history,
});
function asRule2(where, stop22) {
  if (stop22 === void 0 || (isList2(stop22) && stop22.length === 0))
    return maxIterations2(runDefaults2.maxIterations);
  if (isList2(stop22)) return anyOf2(...stop22);
  checkRule2(stop22, where);
  return stop22;
}
var isList2 = (stop22) => Array.isArray(stop22);
function checkpointSettings2(where, given) {
  if (given === void 0) return void 0;
  if (typeof given !== "object" || given === null)
    throw badOption(where, "checkpoint", "an object { write, \u2026 } (or left out)", given);
  const write2 = checkpointRules2.write.accepts(given.write) ? given.write : void 0;
  if (write2 === void 0) throw badOption(`${where}, checkpoint`, "write", callback.expected, given.write);
  const everyIterations = given.everyIterations ?? Number.POSITIVE_INFINITY;
  const everySeconds =
    given.everySeconds ?? (given.everyIterations === void 0 ? 30 : Number.POSITIVE_INFINITY);
  return checkOptions(
    `${where}, checkpoint`,
    given,
    { write: write2, everySeconds, everyIterations },
    checkpointRules2,
  );
}
function isSignal2(value) {
  return (
    typeof value === "object" && value !== null && "aborted" in value && typeof value.aborted === "boolean"
  );
}
function nextTask2() {
  return new Promise((resolve) => {
    if (typeof setImmediate === "function") {
      setImmediate(resolve);
    } else if (typeof MessageChannel === "function") {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(null);
    } else {
      setTimeout(resolve, 0);
    }
  });
}
function isPromise2(value) {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
var History2 = class {
  items = [];
  capacity;
  oldest = 0;
  constructor(capacity) {
    this.capacity = capacity;
  }
  add(item) {
    if (this.items.length < this.capacity) {
      this.items.push(item);
    } else if (this.capacity > 0) {
      this.items[this.oldest] = item;
      this.oldest = (this.oldest + 1) % this.capacity;
    }
  }
  /** In the order in which they came. */
  list() {
    return [...this.items.slice(this.oldest), ...this.items.slice(0, this.oldest)];
  }
};
var RunState2 = class {
  settings;
  ending;
  elapsedSeconds = 0;
  solver;
  test;
  history;
  latest;
  gradientNorm;
  cause;
  secondsBefore = 0;
  startedAt = performance.now();
  turnAt = this.startedAt;
  writtenAt = this.startedAt;
  iterationsSinceWritten = 0;
  /** @throws CurvatureError ERR_OPTION, ERR_CHECKPOINT or ERR_SNAPSHOT; the solver is then as it was */
  constructor(where, solver, options) {
    checkSolver2(where, solver);
    this.settings = checkRunOptions2(where, options);
    this.solver = solver;
    const { history, resume, stop: stop22, signal } = this.settings;
    this.history = new History2(history === true ? Number.POSITIVE_INFINITY : Number(history));
    const checkpoint = resume === void 0 ? void 0 : decodeCheckpoint2(resume);
    if (checkpoint !== void 0) {
      checkOrigin2(checkpoint, solver);
      solver.restore(checkpoint.solver);
    }
    this.test = stop22.start(this);
    if (checkpoint !== void 0) this.resume(checkpoint);
    if (this.ending === void 0 && signal?.aborted === true) this.abort(signal);
  }
  get best() {
    return this.solver.best;
  }
  get last() {
    return this.solver.last;
  }
  resume({ run: run22 }) {
    this.secondsBefore = run22.elapsedSeconds;
    this.elapsedSeconds = run22.elapsedSeconds;
    this.gradientNorm = run22.gradientNorm;
    if (isIteration2(run22.latest)) this.latest = run22.latest;
    for (const iteration of run22.history) if (isIteration2(iteration)) this.history.add(iteration);
    this.test.restore?.(new Map(Object.entries(run22.tests)));
    const { ending } = run22;
    const rules2 = alternativesOf2(this.settings.stop);
    const isOfSolver = ending?.by === "solver" && ending.status !== "max-evaluations";
    if (isOfSolver || (ending?.by === "rule" && rules2.includes(ending.rule))) this.ending = ending;
  }
  /** Takes an iteration into the books and lets the solver's outcome and the rules judge it, in that order. */
  record(iteration) {
    this.tick();
    const { outcome } = iteration;
    if (outcome !== void 0 && iteration.index === this.latest?.index) {
      this.end(outcome.status, outcome.message, "solver");
      return;
    }
    this.latest = iteration;
    this.gradientNorm = iteration.gradientNorm ?? this.gradientNorm;
    this.iterationsSinceWritten++;
    this.history.add(iteration);
    const stop22 = this.test.check(iteration, this);
    if (outcome !== void 0) this.end(outcome.status, outcome.message, "solver");
    else if (stop22 !== void 0)
      this.end(stop22.status, stop22.message, "rule", stop22.rule ?? this.settings.stop.description);
  }
  /** Heeds the listener's answer and the signal, unless the run has ended already. */
  heed(answer) {
    const { signal } = this.settings;
    if (this.ending !== void 0) return;
    if (answer === false) this.end("aborted", "The listener asked to stop.", "user");
    else if (signal?.aborted === true) this.abort(signal);
  }
  /** An evaluation threw or rejected. */
  fail(cause) {
    this.tick();
    this.cause = cause;
    const reason = cause instanceof Error ? cause.message : shown(cause);
    this.end("failed", `Iteration ${(this.latest?.index ?? 0) + 1} failed: ${reason}`, "failure");
  }
  /** Whether the event loop has waited long enough; then its turn counts from now. */
  isTurnDue() {
    const now = performance.now();
    if (now - this.turnAt < this.settings.yieldEvery) return false;
    this.turnAt = now;
    return true;
  }
  /** Whether a checkpoint is due; `isLast` asks for the one at the end. */
  isCheckpointDue(isLast) {
    const { checkpoint } = this.settings;
    if (checkpoint === void 0) return false;
    if (isLast) return this.iterationsSinceWritten > 0 || this.ending !== void 0;
    return (
      this.ending === void 0 &&
      (this.iterationsSinceWritten >= checkpoint.everyIterations ||
        performance.now() - this.writtenAt >= 1e3 * checkpoint.everySeconds)
    );
  }
  checkpoint() {
    this.tick();
    const states = /* @__PURE__ */ new Map();
    this.test.save?.(states);
    const bytes = encodeCheckpoint2({
      solver: this.solver.save(),
      dimension: this.solver.dimension,
      fingerprint: this.solver.fingerprint,
      run: {
        elapsedSeconds: this.elapsedSeconds,
        gradientNorm: this.gradientNorm,
        latest: this.latest,
        history: this.history.list(),
        tests: Object.fromEntries(states),
        ending: this.ending,
      },
    });
    this.writtenAt = performance.now();
    this.iterationsSinceWritten = 0;
    return bytes;
  }
  result() {
    const { best, last, latest, ending, settings } = this;
    const { status, message } = ending ?? { status: "aborted", message: "The run was left." };
    return {
      x: best.x.slice(),
      last: last.x.slice(),
      value: best.value,
      gradientNorm: this.gradientNorm,
      iterations: latest?.index ?? 0,
      evaluations: latest?.evaluations ?? 0,
      gradientEvaluations: latest?.gradientEvaluations ?? 0,
      monitoringEvaluations: latest?.monitoringEvaluations ?? 0,
      passes: latest?.passes ?? 0,
      elapsedSeconds: this.elapsedSeconds,
      status,
      usable: isUsable2(best, status),
      message,
      cause: this.cause,
      history: this.history.list(),
      options: {
        ...withoutFunctions2(this.solver.options ?? {}),
        solver: this.solver.name,
        stop: settings.stop.description,
        yieldEvery: settings.yieldEvery,
        history: settings.history,
      },
    };
  }
  tick() {
    this.elapsedSeconds = this.secondsBefore + (performance.now() - this.startedAt) / 1e3;
  }
  abort(signal) {
    const { reason } = signal;
    const why = reason instanceof Error ? `: ${reason.message}` : "";
    this.end("aborted", `The signal was aborted${why}.`, "user");
  }
  end(status, message, by, rule22 = "") {
    this.ending = { status, message, by, rule: rule22 };
  }
};
function withoutFunctions2(options) {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => typeof value !== "function"));
}
function isUsable2({ x, value }, status) {
  if (!x.every(Number.isFinite)) return false;
  return value === void 0 ? status !== "failed" && status !== "diverged" : Number.isFinite(value);
}
function checkSolver2(where, solver) {
  const isSolver =
    typeof solver === "object" &&
    solver !== null &&
    "step" in solver &&
    typeof solver.step === "function" &&
    "save" in solver &&
    typeof solver.save === "function" &&
    "restore" in solver &&
    typeof solver.restore === "function" &&
    "best" in solver &&
    "last" in solver;
  if (!isSolver)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `${where}: the first argument must be a solver (an object with step, best, last, save and restore).`,
      { path: "solver", received: solver },
    );
}
async function run2(solver, options) {
  const iterations = advance2(solver, new RunState2("run", solver, options));
  for (;;) {
    const next = await iterations.next();
    if (next.done === true) return next.value;
  }
}
async function* advance2(solver, state) {
  const { onIteration, checkpoint } = state.settings;
  let isWriting = false;
  try {
    while (state.ending === void 0) {
      let iteration;
      try {
        const stepped = solver.step();
        iteration = isPromise2(stepped) ? await stepped : stepped;
      } catch (error) {
        state.fail(error);
        break;
      }
      state.record(iteration);
      const answer = onIteration?.(iteration, state);
      state.heed(isPromise2(answer) ? await answer : answer);
      yield iteration;
      if (state.isCheckpointDue(false)) {
        isWriting = true;
        await checkpoint?.write(state.checkpoint());
        isWriting = false;
      }
      if (state.isTurnDue()) await nextTask2();
      state.heed(void 0);
    }
  } finally {
    if (!isWriting && state.isCheckpointDue(true)) await checkpoint?.write(state.checkpoint());
  }
  return state.result();
}
function runSync2(solver, options) {
  const state = new RunState2("runSync", solver, options);
  const { onIteration, checkpoint } = state.settings;
  let isWriting = false;
  try {
    while (state.ending === void 0) {
      let stepped;
      try {
        stepped = solver.step();
      } catch (error) {
        state.fail(error);
        break;
      }
      const iteration = settled2(stepped, "an evaluation");
      state.record(iteration);
      state.heed(settled2(onIteration?.(iteration, state), "onIteration"));
      if (state.isCheckpointDue(false)) {
        isWriting = true;
        settled2(checkpoint?.write(state.checkpoint()), "checkpoint.write");
        isWriting = false;
      }
    }
  } finally {
    if (!isWriting && state.isCheckpointDue(true))
      settled2(checkpoint?.write(state.checkpoint()), "checkpoint.write");
  }
  return state.result();
}
function settled2(value, what) {
  if (!isPromise2(value)) return value;
  value.then(void 0, () => void 0);
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `runSync: ${what} returned a promise. Use run, which waits for it.`,
    {
      path: what,
      expected: "a value",
      received: value,
    },
  );
}

// ../optim-core/dist/index.js
var checkDefaults = Object.freeze({ seed: 0, coordinates: 100 });
var checkRules = { seed: integerFrom(0), coordinates: integerFrom(1) };
var driveDefaults2 = Object.freeze({ concurrency: 1 });
var backtrackingDefaults2 = Object.freeze({
  sufficientDecrease: 1e-4,
  shrink: 0.5,
});
var wolfeDefaults2 = Object.freeze({
  sufficientDecrease: 1e-4,
  curvature: 0.9,
  condition: "strong",
  maxTrials: 40,
});
var ROUNDING4 = 4 * Number.EPSILON;
var adagradDefaults = Object.freeze({ learningRate: 0.1, seed: 0 });
var adamDefaults = Object.freeze({
  learningRate: 1e-3,
  gradientDecay: 0.9,
  squareDecay: 0.999,
  epsilon: 1e-8,
  seed: 0,
});
var ROUNDING22 = 100 * Number.EPSILON;
var conjugateGradientDefaults = Object.freeze({
  sufficientDecrease: 1e-4,
  curvature: 0.1,
  restartEvery: void 0,
});
var hessianFreeDefaults = Object.freeze({
  initialDamping: 1,
  maxInnerIterations: 250,
});
var ROUNDING32 = 100 * Number.EPSILON;
var DIFFERENCE = 2 ** -26;
var lbfgsDefaults2 = Object.freeze({
  memory: 10,
  lineSearch: "strong-wolfe",
  sufficientDecrease: 1e-4,
  curvature: 0.9,
  firstStep: "scaled",
  inverseHessian: void 0,
});
var minibatchLbfgsDefaults = Object.freeze({
  batches: 10,
  iterationsPerBatch: 10,
  memory: 10,
  seed: 0,
});
var momentumDefaults = Object.freeze({
  learningRate: 0.01,
  momentum: 0.9,
  nesterov: false,
  seed: 0,
});
var sagDefaults = Object.freeze({ lipschitz: 1, seed: 0 });
var sgdDefaults2 = Object.freeze({
  initialStep: 1,
  decay: 0.01,
  batchSize: 1,
  sampling: "permutation",
  seed: 0,
});
var sumSolverMethods = Object.freeze({
  sgd: ["initialStep", "decay"],
  momentum: ["learningRate", "momentum"],
  adagrad: ["learningRate"],
  adam: ["learningRate"],
  sag: ["lipschitz"],
  lbfgs: ["memory"],
  "minibatch-lbfgs": ["batches", "iterationsPerBatch"],
  "hessian-free": ["initialDamping"],
});
var sumSolverDefaults = Object.freeze({ seed: 0 });
var gradientDescentDefaults2 = Object.freeze({
  initialStep: void 0,
  growth: 2,
  sufficientDecrease: 1e-4,
  shrink: 0.5,
});
var lbfgsbDefaults = Object.freeze({
  lower: 0,
  upper: Number.POSITIVE_INFINITY,
  memory: 10,
  initialStep: void 0,
});
var ROUNDING42 = 100 * Number.EPSILON;
var nowhere2 = { x: new Float64Array(0), value: void 0 };

export {
  bootstrapEmbedding,
  chooseDimension,
  coordinatesFromGram,
  createOrdinalSolver,
  dimensionDefaults,
  errorShare2 as errorShare,
  firstMaps,
  GramDescent,
  generalizationError,
  gramDefaults,
  kernelRidge,
  kernelRidgeDefaults,
  MeasuredSvrg,
  makePlan,
  maxPasses2 as maxPasses,
  modularDefaults,
  modularSvrg,
  neighborLabelError,
  ordinalEmbedding,
  ordinalEmbeddingDefaults,
  ordinalObjective2 as ordinalObjective,
  ordinalSolverDefaults,
  ordinalSolverNames,
  procrustes,
  procrustesDefaults,
  questionDefaults,
  retrieval,
  run2 as run,
  runSync2 as runSync,
  StagedFit,
  Svrg,
  selectQuestions,
  svrgDefaults,
  tripletDefaults,
  tripletsFromDistances,
  tripletsFromPoints,
};
