import type { SurveyScale } from '../../generated/contacts.js'

/** Such as `4 / 5`; a thumb on a scale of two. */
export function scoreText({ scale, score }: { scale: SurveyScale; score: number | null }): string {
  if (scale === 'THUMBS') return score === 1 ? '👍' : '👎'
  return `${score} / 5`
}
