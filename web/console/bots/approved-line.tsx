import { useBotWords, words } from './words.js'

/** Says who approved what the bot did. */
export function ApprovedLine({ name }: { name: string }) {
  useBotWords()
  return (
    <span class="sent">
      <bdi>{words.approvedBy(name)}</bdi>
    </span>
  )
}
