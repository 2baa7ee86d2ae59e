import { useState } from 'preact/hooks'
import { Icon } from './icon.js'

/** Puts the text on the clipboard, and says that it did. */
export function CopyButton({ text, label, done }: { text: string; label: string; done: string }) {
  const [isCopied, setCopied] = useState(false)
  return (
    <button
      type="button"
      class="btn small"
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
    >
      <Icon name="copy" size="s" />
      {isCopied ? done : label}
    </button>
  )
}
