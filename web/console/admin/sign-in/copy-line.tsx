import { CopyButton } from '../../../shared/ui/copy-button.js'
import { words as admin } from '../words.js'

/** A value to be copied to another system, with what it is called there. */
export function CopyLine({ label, text }: { label: string; text: string }) {
  return (
    <div class="set">
      <span>
        <small>{label}</small>
        <code class="code">{text}</code>
      </span>
      <CopyButton text={text} label={admin.copy} done={admin.copied} />
    </div>
  )
}
