import { escapeHtml as escaped } from '../../platform/content/escape-html.js'
import { hashSource, pagePolicy } from '../../platform/content/page-policy.js'
import type { SurveyScale } from '../channels/survey.js'
import type { surveyWords } from '../conversations/surveys/survey-words.js'

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 32rem; margin: 3rem auto; padding: 0 1.25rem; background: light-dark(#fff, #111518); color: light-dark(#14181c, #e9edf0) }
h1 { font-size: 1.25rem }
fieldset { border: 0; padding: 0; margin: 0 0 1rem; display: flex; flex-wrap: wrap; gap: 0.5rem }
legend { padding: 0 0 0.5rem }
fieldset label { border: 1px solid light-dark(#6b7680, #8a949c); border-radius: 0.5rem; padding: 0.5rem 1rem; cursor: pointer }
textarea { width: 100%; box-sizing: border-box; font: inherit; padding: 0.5rem; margin: 0.25rem 0 1rem }
button { font: inherit; padding: 0.5rem 1.25rem; border: 0; border-radius: 0.5rem; background: light-dark(#0b5d8a, #7cc4ee); color: light-dark(#fff, #08222f); cursor: pointer }
.wrong { color: light-dark(#a1260d, #ffab91) }
`
export const PAGE_POLICY = pagePolicy([`style-src ${hashSource(STYLE)}`, "form-action 'self'", "trusted-types 'none'"])

type Words = ReturnType<typeof surveyWords>

export interface Question {
  text: string
  scale: SurveyScale
  /** True after an answer without a score. */
  isIncomplete: boolean
}

/** Returns the page with the form: sending it rates, opening it does not. */
export function questionPage(words: Words, { text, scale, isIncomplete }: Question): string {
  const scores = scale === 'thumbs' ? ['1', '0'] : ['1', '2', '3', '4', '5']
  const labelOf = (score: string): string =>
    scale === 'thumbs' ? `${score === '1' ? '👍' : '👎'} ${words.scores[score as '0' | '1']}` : score
  const choices = scores.map(
    (score) => `<label><input type="radio" name="score" value="${score}" required> ${escaped(labelOf(score))}</label>`,
  )
  return page(
    words,
    `<h1 id="question">${escaped(text)}</h1>
${isIncomplete ? `<p class="wrong" role="alert">${escaped(words.choose)}</p>` : ''}
<form method="post">
<fieldset aria-labelledby="question">${scale === 'five' ? `<legend>${escaped(words.best)}</legend>` : ''}${choices.join('\n')}</fieldset>
<label for="comment">${escaped(words.comment)}</label>
<textarea id="comment" name="comment" rows="4" maxlength="2000"></textarea>
<button>${escaped(words.send)}</button>
</form>`,
    text,
  )
}

export function saidPage(words: Words, text: string): string {
  return page(words, `<h1>${escaped(text)}</h1>`, text)
}

function page({ language }: Words, body: string, title: string): string {
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${escaped(title)}</title><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><style>${STYLE}</style></head>
<body>
<main>
${body}
</main>
</body>
</html>
`
}
