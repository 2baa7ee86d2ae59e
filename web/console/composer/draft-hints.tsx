import { isBlank } from '../../shared/outbox/drafts.js'
import { Icon } from '../../shared/ui/icon.js'
import { useActWords, words as catalogue } from '../acts/words.js'
import { useStore } from '../store/console-store.js'

/** Says that a text was held, and warns of a word that the organization avoids (2.4). @param text of a reply; empty for a note */
export function DraftHints({ id, text }: { id: string; text: string }) {
  useActWords()
  const { organization, writing } = useStore()
  const words = catalogue.beside
  const stopword = stopwordIn(text, organization.me.value?.organization?.stopwords ?? [])
  return (
    <>
      {writing.drafts.value?.of(id)?.isHeld && (
        <p class="hint" role="status">
          <Icon name="alert" size="s" />
          {words.held}
        </p>
      )}
      {stopword && (
        <p class="hint bad stopword" role="status">
          <Icon name="alert" size="s" />
          {words.stopword(stopword)}
        </p>
      )}
    </>
  )
}

/** Says where the draft is kept. */
export function DraftState({ id }: { id: string }) {
  useActWords()
  const drafts = useStore().writing.drafts.value
  const draft = drafts?.of(id)
  if (!drafts || !draft || (draft.text === '' && isBlank(draft.mail))) return <span class="push" />
  const words = catalogue.beside
  const said = draft.isSaved ? words.draftSaved : drafts.isKept ? words.draftKept : words.draftLost
  return <span class="push mute t2 draft-word">{said}</span>
}

/** A word of the organization's list in what was typed. */
function stopwordIn(text: string, stopwords: readonly string[]): string | null {
  const folded = text.toLocaleLowerCase()
  return stopwords.find((word) => word !== '' && folded.includes(word.toLocaleLowerCase())) ?? null
}
