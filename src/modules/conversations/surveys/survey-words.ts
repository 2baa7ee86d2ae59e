import { wordsOf } from '../../../platform/content/words-of.js'

/** Words of surveys to consumers, by the language of the conversation. */
const WORDS = {
  en: {
    question: 'How was your conversation with us?',
    rate: 'Rate it here:',
    scores: { '0': 'Not good', '1': 'Good' },
    best: '1 is the worst, 5 the best',
    comment: 'Anything to add? (optional)',
    send: 'Send',
    thanks: 'Thank you for your rating.',
    choose: 'Choose a rating first.',
    over: 'This link is no longer valid.',
  },
  de: {
    question: 'Wie war Ihr Gespräch mit uns?',
    rate: 'Hier bewerten:',
    scores: { '0': 'Nicht gut', '1': 'Gut' },
    best: '1 ist am schlechtesten, 5 am besten',
    comment: 'Möchten Sie etwas hinzufügen? (freiwillig)',
    send: 'Senden',
    thanks: 'Danke für Ihre Bewertung.',
    choose: 'Wählen Sie zuerst eine Bewertung.',
    over: 'Dieser Link ist nicht mehr gültig.',
  },
  fr: {
    question: 'Comment s’est passée votre conversation avec nous ?',
    rate: 'Donnez votre avis ici :',
    scores: { '0': 'Pas bien', '1': 'Bien' },
    best: '1 est la plus basse note, 5 la meilleure',
    comment: 'Quelque chose à ajouter ? (facultatif)',
    send: 'Envoyer',
    thanks: 'Merci pour votre avis.',
    choose: 'Choisissez d’abord une note.',
    over: 'Ce lien n’est plus valable.',
  },
  nl: {
    question: 'Hoe was uw gesprek met ons?',
    rate: 'Beoordeel het hier:',
    scores: { '0': 'Niet goed', '1': 'Goed' },
    best: '1 is het slechtst, 5 het best',
    comment: 'Iets toe te voegen? (optioneel)',
    send: 'Versturen',
    thanks: 'Bedankt voor uw beoordeling.',
    choose: 'Kies eerst een beoordeling.',
    over: 'Deze link is niet meer geldig.',
  },
}

/** English for other languages. */
export const surveyWords = (language: string | null) => wordsOf(WORDS, language)
