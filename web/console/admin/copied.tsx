import { CopyButton } from '../../shared/ui/copy-button.js'
import { words } from './words.js'

/** Shows what is copied into a form of a provider. */
export function Copied({ label, text }: { label?: string | null; text: string }) {
  return (
    <div class="line nowrap">
      <span class="grow">
        {label && <span class="mute t2">{label} </span>}
        <code class="code">{text}</code>
      </span>
      <CopyButton text={text} label={words.copy} done={words.copied} />
    </div>
  )
}
