import { AskedRatingDocument, RateDocument, type AskedRatingQuery } from '../../generated/rating.js'
import type { el as createElement } from '../chat/dom.js'
import type { View } from '../chat/view.js'
import type { TalkMessage } from '../talk/thread.js'
import type { Part } from './part.js'
import { ratingWords } from './rating-words.js'

type Rating = NonNullable<AskedRatingQuery['rating']>

const COMMENT_CHARS_MAX = 2_000

/**
 * Asks for a rating of the conversation, or shows the one that was given, here or elsewhere.
 * @param el given, not imported: a third chunk that imports what two share would split that, and weigh on every chat
 */
export function createRating(view: View, message: TalkMessage, el: typeof createElement): Part {
  const { talk, words: shared } = view
  const words = ratingWords(view.language)
  const id = String(message.meta!._rating)
  const element = el('div', { class: 'card', hidden: true })
  let seen: TalkMessage | null = null
  update()
  return { element, update }

  /** The message comes anew when its rating changed. */
  function update(): void {
    const now = talk.thread.messages.find((each) => each.id === message.id) ?? message
    if (now === seen) return
    seen = now
    void load()
  }

  async function load(): Promise<void> {
    const { rating } = await talk.ask(AskedRatingDocument, () => ({ id })).catch(() => ({ rating: null }))
    if (!rating) return
    const isOver = rating.score === null && rating.expiresAt !== null && Date.parse(rating.expiresAt) < Date.now()
    element.hidden = isOver
    // What is being filled in stays.
    if (rating.score !== null) element.replaceChildren(thanks(rating, rating.score))
    else if (!element.firstChild) element.append(question(rating))
  }

  function labelOf({ scale }: Rating, score: number): string {
    if (scale === 'FIVE') return String(score)
    return score === 1 ? `👍 ${words.good}` : `👎 ${words.bad}`
  }

  function thanks(rating: Rating, score: number): HTMLElement {
    const said = el('b', {}, labelOf(rating, score))
    return el('p', { class: 'mute form', role: 'status' }, `${words.thanks} `, said)
  }

  function question(rating: Rating): HTMLElement {
    const isFive = rating.scale === 'FIVE'
    const fault = el('p', { class: 'hint bad', role: 'alert' })
    const comment = el('textarea', {
      class: 'in',
      id: `${id}-comment`,
      rows: 2,
      maxlength: COMMENT_CHARS_MAX,
      dir: 'auto',
    })
    const choices = (isFive ? [1, 2, 3, 4, 5] : [1, 0]).map((each) =>
      el('label', {}, el('input', { type: 'radio', name: id, value: each, required: true }), labelOf(rating, each)),
    )
    const optional = el('span', { class: 'mute' }, ` ${shared.optional}`)
    return el(
      'form',
      { class: 'form', 'aria-label': words.rating, submit },
      el(
        'fieldset',
        {},
        el('legend', {}, isFive ? words.ratingFive : words.rating),
        el('div', { class: 'choices' }, ...choices),
      ),
      el('div', {}, el('label', { for: comment.id }, words.comment, optional), comment),
      fault,
      el('button', { class: 'btn primary wide' }, shared.send),
    )

    function submit(event: Event): void {
      event.preventDefault()
      const score = Number(element.querySelector<HTMLInputElement>('input:checked')!.value)
      const variables = { rating: id, score, comment: comment.value || null }
      talk
        .ask(RateDocument, () => variables)
        .then(
          () => element.replaceChildren(thanks(rating, score)),
          (error: Error) => fault.replaceChildren(error.message),
        )
    }
  }
}
