import { useMemo } from "preact/hooks";
import { encode } from "uqr";

/** The quiet zone that scanners need, in modules. */
const MARGIN = 4;

/** A QR picture, drawn as one path. */
export function Qr({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const { data, size } = encode(text, { ecc: "M", border: 0 });
    return { size, path: data.map((row, y) => lineOf(row, y)).join("") };
  }, [text]);
  const whole = size + 2 * MARGIN;
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${whole} ${whole}`} shape-rendering="crispEdges">
      <rect width={whole} height={whole} class="light" />
      <path d={path} class="dark" />
    </svg>
  );
}

function lineOf(row: readonly boolean[], y: number): string {
  let path = "";
  row.forEach((dark, x) => {
    if (dark) path += `M${x + MARGIN} ${y + MARGIN}h1v1h-1z`;
  });
  return path;
}
