import { useLayoutEffect, useRef } from "preact/hooks";

interface FollowingProps {
  readonly name: string;
  /** The value as it is now; others may change it at any time. */
  readonly value: string;
  /** What a typed text stands for, where blanks or separators mean nothing. */
  readonly read: (typed: string) => string;
  readonly id?: string;
  readonly class?: string;
  readonly placeholder?: string;
  readonly inputMode?: "decimal";
}

/**
 * Notes that a text typed into such a field has been saved: it follows what comes next, even if another changes that
 * before it is read.
 */
export function noteSaved(form: HTMLFormElement, name: string, text: string): void {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLInputElement) field.defaultValue = text;
}

/**
 * A text field that follows a value, but never under somebody's hands: while it has the focus, or has another text typed
 * into it, it stays as it is. Its `defaultValue` is the value that it followed last.
 */
export function FollowingInput({ value, read, ...attributes }: FollowingProps) {
  const input = useRef<HTMLInputElement>(null);
  const follow = (isLeft: boolean) => {
    const field = input.current;
    const typed = field && read(field.value);
    if (!field || (typed !== value && (!isLeft || typed !== field.defaultValue))) return;
    field.defaultValue = value;
    if (isLeft) field.value = value;
  };
  useLayoutEffect(() => follow(document.activeElement !== input.current), [value]);
  return (
    <input {...attributes} ref={input} type="text" spellcheck={false} autocomplete="off" onBlur={() => follow(true)} />
  );
}
