const NAMES: Readonly<Record<string, string>> = {
  ctrl: 'Ctrl',
  alt: 'Alt',
  shift: 'Shift',
  arrowup: '↑',
  arrowdown: '↓',
  enter: 'Enter',
}

/** Keys as they are written on a keyboard. */
export function KeyWords({ of }: { of: string }) {
  return (
    <>
      {of.split(' ').map((key, index) => (
        <kbd key={index}>{NAMES[key.toLowerCase()] ?? key.toUpperCase()}</kbd>
      ))}
    </>
  )
}
