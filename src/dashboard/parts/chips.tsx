interface ChipsProps<Name extends string> {
  readonly label: string;
  readonly names: readonly Name[];
  /** The name of the pressed one, if one is. */
  readonly pressed: Name | undefined;
  readonly onPress: (name: Name) => void;
}

/** A row of buttons, one of which may be pressed, such as the filters of a list. */
export function Chips<Name extends string>({ label, names, pressed, onPress }: ChipsProps<Name>) {
  return (
    <div class="chips" role="group" aria-label={label}>
      {names.map((name) => (
        <button
          type="button"
          key={name}
          aria-pressed={name === pressed ? "true" : "false"}
          onClick={() => onPress(name)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
