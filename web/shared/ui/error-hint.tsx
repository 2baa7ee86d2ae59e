import { Icon } from './icon.js'

/** Says why the last attempt failed, at once by a screen reader. Nothing, without a text. */
export function ErrorHint({ text, id }: { text: string | null | undefined; id?: string }) {
  if (!text) return null
  return (
    <p class="hint bad" role="alert" id={id}>
      <Icon name="alert" size="s" />
      {text}
    </p>
  )
}
