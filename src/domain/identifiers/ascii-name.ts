/**
 * Folds a name to printable ASCII and cuts it to `longest` characters, as fields 59 and 60 of a BR Code want it.
 *
 * Accents go (`São` becomes `Sao`), characters without an ASCII form are dropped, runs of white space become one
 * space. The result is empty when nothing is left.
 */
export function foldToAscii(name: string, longest: number): string {
  const plain = /[^ -~]/.test(name) ? asciiOf(name) : name;
  return plain.replace(/ {2,}/g, " ").trim().slice(0, longest).trimEnd();
}

function asciiOf(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\s/g, " ")
    .replace(/[^ -~]/g, "");
}
