import { useState } from 'preact/hooks'
import { Icon } from '../../shared/ui/icon.js'
import { words } from './words.js'

/** Puts the text on the clipboard, and says that it did. */
export function CopyButton({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false)
  return (
    <button class="btn small" onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}>
      <Icon name="copy" size="s" />
      {isCopied ? words.copied : words.copy}
    </button>
  )
}
