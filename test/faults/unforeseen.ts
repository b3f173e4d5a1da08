/** Words in a log that tell of an error which no code has foreseen. */
export const isUnforeseen = (line: string): boolean =>
  /unhandled|uncaught|TypeError|RangeError|ReferenceError|SyntaxError|\bdefect\b/i.test(line)
