/** TABLE: the icons, as SVG paths of 16 by 16 units, one stroke wide. */

const paths = {
  request: "M9 2.5h4.5v11H9M2.5 8h7M6.5 5 9.5 8l-3 3",
  webhook: "M7 2.5H2.5v11H7M6 8h7.5M10.5 5l3 3-3 3",
  transition: "M5 8h6M8.8 5.6 11.2 8l-2.4 2.4M3.5 8a.5.5 0 1 1-1 0 .5.5 0 0 1 1 0M13.5 8a.5.5 0 1 1-1 0 .5.5 0 0 1 1 0",
  rule: "M8.8 1.8 3.6 9.2h4L7.2 14.2l5.2-7.4h-4z",
  step: "M4 3.2v9.6L12.5 8z",
  control:
    "M3 4.5h6M12.5 4.5H13M3 11.5h.5M7 11.5h6M12.5 4.5a1.7 1.7 0 1 1-3.4 0 1.7 1.7 0 0 1 3.4 0M7 11.5a1.7 1.7 0 1 1-3.4 0 1.7 1.7 0 0 1 3.4 0",
  world: "M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0M2 8h12M8 2c4 3.6 4 8.4 0 12M8 2c-4 3.6-4 8.4 0 12",
  money: "M2 4h12v8H2zM9.8 8a1.8 1.8 0 1 1-3.6 0 1.8 1.8 0 0 1 3.6 0M4.2 8h.1M11.8 8h.1",
  fault: "M8 2.2 14.4 13.4H1.6zM8 6.4v3.2M8 11.5v.1",
  clock: "M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0M8 4.6V8l2.4 1.6",
  timeline: "M4 2v12M4 4.5h8.5M4 8h5M4 11.5h7",
  charge: "M2.5 2.5h4v4h-4zM9.5 2.5h4v4h-4zM2.5 9.5h4v4h-4zM9.5 9.5h1.4v1.4H9.5zM12.4 12.4h1.1M12.6 9.6h.9M9.6 13.4h.9",
  cashout: "M8 10V2.5M5 5.3l3-2.8 3 2.8M2.5 9.5v4h11v-4",
  transfer: "M2.5 5.5h10M10 2.8l2.7 2.7L10 8.2M13.5 10.5h-10M6 7.8l-2.7 2.7L6 13.2",
  conversion: "M3 7.2A5.2 5.2 0 0 1 12.6 5M13 8.8A5.2 5.2 0 0 1 3.4 11M12.8 2v3.2H9.6M3.2 14v-3.2h3.2",
  wallet: "M2 4.5h10.5a1.5 1.5 0 0 1 1.5 1.5v6H2zM2 4.5 10 2v2.5M11 8.5h3v2h-3z",
  dispute: "M3.5 14V2.5h8.7L10.4 5.6l1.8 3.2H3.5",
  account: "M10.8 5.3a2.8 2.8 0 1 1-5.6 0 2.8 2.8 0 0 1 5.6 0M2.5 13.8c.6-3 2.6-4.3 5.5-4.3s4.9 1.3 5.5 4.3",
  ledger: "M3 2.5h9.5v11H4.5A1.5 1.5 0 0 1 3 12zM3 12a1.5 1.5 0 0 1 1.5-1.5h8M6 5.5h4M6 7.8h4",
  inbox: "M2 9.5 4 3h8l2 6.5V13H2zM2 9.5h3.5L6.5 11h3l1-1.5H14",
  report: "M3 2.5h10v11H3zM5.5 6l1 1 1.8-2M5.5 10.2l1 1 1.8-2M10 6h1M10 10.2h1",
  coverage: "M2.5 13.5h11M4.5 11V8M8 11V4.5M11.5 11V6.5",
  scenario: "M3.5 2h6L12.5 5v9h-9zM9.5 2v3h3M6 8h4M6 10.5h4",
  magic:
    "M3 13 9.5 6.5M11 2.5l.7 1.8 1.8.7-1.8.7L11 7.5l-.7-1.8L8.5 5l1.8-.7zM4.5 3l.4 1.1L6 4.5l-1.1.4L4.5 6l-.4-1.1L3 4.5l1.1-.4z",
  rates: "M2 12 6 7.5l3 2.5 5-6M10.5 4H14v3.5",
  snapshot: "M2 5h3l1.2-2h3.6L11 5h3v8H2zM10.4 8.8a2.4 2.4 0 1 1-4.8 0 2.4 2.4 0 0 1 4.8 0",
  settings:
    "M8 5.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5M8 1.8v2M8 12.2v2M1.8 8h2M12.2 8h2M3.6 3.6 5 5M11 11l1.4 1.4M12.4 3.6 11 5M5 11l-1.4 1.4",
  play: "M4.5 2.8v10.4L13 8z",
  pause: "M5 3v10M11 3v10",
  next: "M3.5 3.2v9.6L10.5 8zM12.5 3v10",
  until: "M3 4.5 7 8l-4 3.5zM8.5 4.5l4 3.5-4 3.5zM14 4v8",
  search: "M11 6.8a4.2 4.2 0 1 1-8.4 0 4.2 4.2 0 0 1 8.4 0M10 10l3.5 3.5",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  check: "M3 8.5 6.5 12 13 4.5",
  close: "M3.5 3.5l9 9M12.5 3.5l-9 9",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  menu: "M2.5 4h11M2.5 8h11M2.5 12h11",
  sun: "M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6M8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9",
  moon: "M13.2 9.8A5.6 5.6 0 0 1 6.2 2.8 5.6 5.6 0 1 0 13.2 9.8z",
  help: "M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0M6.2 6.4c0-2.4 3.7-2.3 3.7-.1 0 1.3-1.8 1.4-1.8 2.8M8 11.4v.1",
  chevron: "M6 3.5 10.5 8 6 12.5",
  download: "M8 2.5v7.5M5 7.2 8 10l3-2.8M2.5 10.5v3h11v-3",
  trash: "M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.7 9h6.6l.7-9M6.6 7v4M9.4 7v4",
  refresh: "M13 8a5 5 0 1 1-1.6-3.7M13 2.2V5h-2.8",
} as const;

/** The name of an icon. */
export type IconName = keyof typeof paths;

/** An icon beside words; hidden from screen readers, as it says nothing by itself. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
