/** Words of ratings, which most conversations do without: loaded with them. */
const WORDS = {
  en: {
    good: 'Good',
    bad: 'Not good',
    rating: 'Your rating',
    ratingFive: 'Your rating: 1 is the worst, 5 the best',
    comment: 'Anything to add?',
    thanks: 'Thank you for your rating:',
  },
  de: {
    good: 'Gut',
    bad: 'Nicht gut',
    rating: 'Ihre Bewertung',
    ratingFive: 'Ihre Bewertung: 1 ist am schlechtesten, 5 am besten',
    comment: 'Möchten Sie etwas hinzufügen?',
    thanks: 'Danke für Ihre Bewertung:',
  },
  fr: {
    good: 'Bien',
    bad: 'Pas bien',
    rating: 'Votre avis',
    ratingFive: 'Votre avis : 1 est la plus basse note, 5 la meilleure',
    comment: 'Quelque chose à ajouter ?',
    thanks: 'Merci pour votre avis :',
  },
  nl: {
    good: 'Goed',
    bad: 'Niet goed',
    rating: 'Uw beoordeling',
    ratingFive: 'Uw beoordeling: 1 is het slechtst, 5 het best',
    comment: 'Iets toe te voegen?',
    thanks: 'Bedankt voor uw beoordeling:',
  },
}

export const ratingWords = (language: string): (typeof WORDS)['en'] =>
  Object.hasOwn(WORDS, language) ? WORDS[language as keyof typeof WORDS] : WORDS.en
