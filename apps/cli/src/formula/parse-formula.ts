/**
 * A formula as people write it: `rate ~ Vm * conc / (K + conc)`. Nothing in it is ever run as code: what this grammar does not
 * know is refused, with its place.
 *
 *   formula   sum ~ sum
 *   sum       product (+|-) product …
 *   product   sign (*|/) sign …
 *   sign      - sign, + sign, or power
 *   power     atom, or atom ^ sign           so that -x^2 is -(x^2), and a^b^c is a^(b^c)
 *   atom      number, name, `name`, function(sum), (sum)
 */
import { CurvatureError, nearestName, shown } from "@curvature/linalg";
import { type FunctionName, functionNames, isFunctionName } from "./functions.js";

/** Plain data. Operands are indices of nodes that come earlier. */
export type FormulaNode =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "name"; readonly name: string; readonly isQuoted: boolean; readonly at: number }
  | { readonly kind: "negative"; readonly of: number }
  | { readonly kind: "call"; readonly name: FunctionName; readonly of: number }
  | {
      readonly kind: "operation";
      readonly sign: "+" | "-" | "*" | "/" | "^";
      readonly left: number;
      readonly right: number;
    };

/** Nodes of which the last is the value of all. */
export type Expression = readonly FormulaNode[];

export interface Formula {
  readonly text: string;
  /** Left of ~. */
  readonly response: Expression;
  /** Right of it. */
  readonly model: Expression;
}

const MAX_LENGTH = 10_000;
/** Of brackets, signs and powers within each other. */
const MAX_DEPTH = 100;

const token =
  /\s*(?:(?<number>(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)|(?<name>[\p{L}_][\p{L}\p{M}\p{N}_.]*)|`(?<quoted>[^`]+)`|(?<sign>[-+*/^(),~]))/iuy;

interface Token {
  readonly kind: "number" | "name" | "quoted" | "sign" | "end";
  readonly text: string;
  /** From 1, as people count characters. */
  readonly at: number;
}

/** What people write who know another notation. */
const hints: Readonly<Record<string, string>> = {
  "=": "Write response ~ formula, with ~ in place of =.",
  "[": "Brackets are round ones here.",
  "]": "Brackets are round ones here.",
  "{": "Brackets are round ones here.",
  "}": "Brackets are round ones here.",
  "%": "Divide by 100 for per cents.",
};

const allowed = `A formula has numbers, names, + - * / ^, round brackets and the functions ${functionNames.join(", ")}.`;

/** @throws CurvatureError ERR_OPTION that names what is not understood, and where it stands */
export function parseFormula(text: string): Formula {
  if (text.length > MAX_LENGTH)
    throw badFormula(`it is ${text.length} characters long; it may have ${MAX_LENGTH}.`);
  return new Parser(text).formula();
}

export const badFormula = (sentence: string): CurvatureError =>
  new CurvatureError("ERR_OPTION", `--formula: ${sentence}`, { path: "formula" });

class Parser {
  private next: Token;
  private end = 0;
  private depth = 0;
  private nodes: FormulaNode[] = [];

  constructor(private readonly text: string) {
    this.next = this.read();
  }

  formula(): Formula {
    if (this.isAtEnd()) throw badFormula("it is empty. Write one as y ~ a * exp(-b * x).");
    const response = this.side();
    if (this.next.text !== "~")
      throw this.isAtEnd()
        ? badFormula("it has no ~. Write the column to be explained in front of it, as y ~ a * exp(-b * x).")
        : this.unexpected("an operator or ~");
    this.take();
    const model = this.side();
    if (!this.isAtEnd()) throw this.unexpected("an operator");
    return { text: this.text.trim(), response, model };
  }

  private side(): Expression {
    this.nodes = [];
    this.sum();
    return this.nodes;
  }

  private sum(): number {
    let left = this.product();
    for (let sign = this.taken("+", "-"); sign !== undefined; sign = this.taken("+", "-"))
      left = this.add({ kind: "operation", sign, left, right: this.product() });
    return left;
  }

  private product(): number {
    let left = this.signed();
    for (let sign = this.taken("*", "/"); sign !== undefined; sign = this.taken("*", "/"))
      left = this.add({ kind: "operation", sign, left, right: this.signed() });
    return left;
  }

  private signed(): number {
    if (++this.depth > MAX_DEPTH)
      throw badFormula(`it is nested more than ${MAX_DEPTH} deep at character ${this.next.at}. Simplify it.`);
    const sign = this.taken("-", "+");
    const of = sign === undefined ? this.power() : this.signed();
    this.depth--;
    return sign === "-" ? this.add({ kind: "negative", of }) : of;
  }

  private power(): number {
    const left = this.atom();
    const sign = this.taken("^");
    return sign === undefined ? left : this.add({ kind: "operation", sign, left, right: this.signed() });
  }

  private atom(): number {
    const { kind, text, at } = this.next;
    if (kind === "number") {
      this.take();
      const value = Number(text);
      if (Number.isFinite(value)) return this.add({ kind: "number", value });
      throw badFormula(`the number ${text} at character ${at} is too large.`);
    }
    if (kind === "name" || kind === "quoted") {
      this.take();
      if (kind === "name" && this.next.text === "(") return this.call(text, at);
      return this.add({ kind: "name", name: text, isQuoted: kind === "quoted", at });
    }
    if (text !== "(") throw this.unexpected("a number, a name or a bracket");
    return this.bracket();
  }

  private call(name: string, at: number): number {
    if (!isFunctionName(name)) {
      const nearest = nearestName(name, functionNames);
      const hint =
        nearest === undefined
          ? `To multiply, write *. Known functions: ${functionNames.join(", ")}.`
          : `Did you mean ${nearest}?`;
      throw badFormula(`there is no function ${shown(name)} (character ${at}). ${hint}`);
    }
    return this.add({ kind: "call", name, of: this.bracket() });
  }

  private bracket(): number {
    const { at } = this.next;
    this.take();
    const inner = this.sum();
    if (this.next.text === ",")
      throw badFormula(`the comma at character ${this.next.at}: every function takes one number.`);
    if (this.isAtEnd()) throw badFormula(`the bracket at character ${at} is not closed.`);
    if (this.next.text !== ")") throw this.unexpected("an operator or )");
    this.take();
    return inner;
  }

  private isAtEnd(): boolean {
    return this.next.kind === "end";
  }

  private add(node: FormulaNode): number {
    return this.nodes.push(node) - 1;
  }

  private take(): void {
    this.next = this.read();
  }

  /** The sign, if it is the next one, which is then behind us. */
  private taken<const Sign extends string>(...signs: readonly Sign[]): Sign | undefined {
    const sign = this.next.kind === "sign" ? signs.find((each) => each === this.next.text) : undefined;
    if (sign !== undefined) this.take();
    return sign;
  }

  private read(): Token {
    token.lastIndex = this.end;
    const match = token.exec(this.text);
    if (match === null) return this.last();
    this.end = token.lastIndex;
    const [kind = "sign", text = ""] =
      Object.entries(match.groups ?? {}).find(([, group]) => group !== undefined) ?? [];
    const at = this.text.indexOf(match[0].trimStart(), match.index) + 1;
    return { kind: kind === "number" || kind === "name" || kind === "quoted" ? kind : "sign", text, at };
  }

  /** The end, or what no formula has. @throws CurvatureError */
  private last(): Token {
    const rest = this.text.slice(this.end).trimStart();
    const at = this.text.length - rest.length + 1;
    if (rest === "") return { kind: "end", text: "", at };
    const [bit] = rest;
    if (bit === "`") throw badFormula(`the name at character ${at} has no second \`.`);
    throw badFormula(`${shown(bit)} at character ${at} is not understood. ${hints[bit] ?? allowed}`);
  }

  private unexpected(wanted: string): CurvatureError {
    const { kind, text, at } = this.next;
    if (kind === "end") return badFormula(`it ends where ${wanted} should follow.`);
    const hint =
      kind === "name" || kind === "number" || kind === "quoted" || text === "("
        ? " To multiply, write *."
        : text === "*" && this.text[at - 2] === "*"
          ? " Write ^ for powers."
          : "";
    return badFormula(`${shown(text)} at character ${at} stands where ${wanted} should.${hint}`);
  }
}
