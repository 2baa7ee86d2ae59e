import type { PrivacyWords } from './en.js'

/** Texts of the administration's page about privacy in Dutch. */
export const nl: PrivacyWords = {
  lead: 'Contacten die gewist zijn of gewist worden. Van hen wordt niets getoond: er blijven ids en aantallen.',
  erasures: 'Wissingen',
  contact: 'Contact',
  state: 'Stand',
  reason: 'Reden',
  erased: 'Gewist',
  asked: 'Gevraagd',
  done: 'Klaar',
  history: 'Wat ermee gedaan is',
  none: ['Er is nog niemand gewist', 'Een contact wordt vanaf zijn pagina gewist, ook als er gesprekken open zijn.'],
  list: 'In een teruggezette back-up staan de gewisten weer. Bewaar de lijst van wissingen elders en geef die mee bij het terugzetten: „Backup, restore, move” in de documentatie zegt hoe.',
  failing: (count) =>
    count === 1
      ? 'Een wissing mislukt. Ze wordt opnieuw geprobeerd: laat iemand in het log kijken.'
      : `${count} wissingen mislukken. Ze worden opnieuw geprobeerd: laat iemand in het log kijken.`,
  counts: ({ conversations, messages, attachments, notes }) =>
    `Gesprekken: ${conversations}, berichten: ${messages}, bestanden: ${attachments}, notities: ${notes}`,
  erase: 'Wissen',
  eraseTitle: 'Dit contact wissen?',
  eraseHelp:
    'Het contact verdwijnt met al zijn gesprekken, ook de open, en met zijn bestanden en notities. Niemand kan het terughalen. Wat de persoon voortaan schrijft, is van een nieuw contact.',
  eraseReason: 'Reden',
  export: 'Export',
  exportHelp:
    'Voor wie vraagt wat er bewaard wordt: een ZIP met pagina’s, gegevens en bestanden. De link is van u, 7 dagen lang; elke download staat in het auditlog.',
  withNotes: 'Met notities en interne berichten',
  exportNow: 'Contact exporteren',
  exports: 'Exports',
  exportStates: { PENDING: 'Wordt gemaakt', READY: 'Klaar', FAILED: 'Mislukt', EXPIRED: 'Verwijderd' },
  notesToo: 'met notities',
  until: (time) => `tot ${time}`,
  download: 'Downloaden',
  states: { REQUESTED: 'Na terugzetten', WITHDRAWING: 'Begonnen', ERASING: 'Bezig', DONE: 'Klaar' },
  reasons: {
    REQUESTED: 'De persoon vraagt erom',
    NOT_NEEDED: 'Niet meer nodig',
    UNLAWFUL: 'Had nooit bewaard mogen worden',
    OBLIGATION: 'De wet eist het',
    OTHER: 'Een andere, of verwijderd',
  },
}
