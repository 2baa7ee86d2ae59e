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
  states: {
    REQUESTED: 'Na terugzetten',
    BLOCKED: 'Tegengehouden door een bewaarplicht',
    WITHDRAWING: 'Begonnen',
    ERASING: 'Bezig',
    DONE: 'Klaar',
  },
  hold: {
    hold: 'Bewaren',
    holds: 'Bewaarplichten',
    keeps: 'Bewaart',
    made: 'Gemaakt',
    make: 'Bewaarplicht maken',
    makeTitle: 'Bewaarplicht maken',
    help: 'Wat een bewaarplicht noemt, wordt niet gewist of verwijderd tot ze wordt opgeheven; wat medewerkers wijzigen of verwijderen, blijft bewaard. Kies contacten, of een periode waarin gesprekken liepen.',
    helpOfContact:
      'Tot de bewaarplicht wordt opgeheven, worden het contact en zijn gesprekken niet gewist of verwijderd, en blijft bewaard wat medewerkers erin wijzigen of verwijderen.',
    none: 'Er zijn geen bewaarplichten. Maak er een als iets als bewijs moet blijven, wie ook om wissing vraagt.',
    holding: 'Geldt',
    released: 'Opgeheven',
    release: 'Opheffen',
    releaseTitle: 'Deze bewaarplicht opheffen?',
    releaseHelp:
      'Wissingen die alleen zij tegenhoudt, gaan meteen verder en zijn niet te stoppen. Wat ze van gewijzigde en verwijderde berichten bewaarde, verdwijnt. Een opgeheven bewaarplicht geldt nooit meer.',
    contacts: 'Contacten',
    search: 'Naam, e-mail of telefoon',
    found: 'Gevonden contacten',
    chosen: 'Gekozen contacten',
    span: 'Periode',
    from: 'Van',
    to: 'Tot',
    counts: ({ contacts, conversations, users }) => [
      ...(contacts > 0 ? [`contacten: ${contacts}`] : []),
      ...(conversations > 0 ? [`gesprekken: ${conversations}`] : []),
      ...(users > 0 ? [`gebruikers: ${users}`] : []),
    ],
  },
  reasons: {
    REQUESTED: 'De persoon vraagt erom',
    NOT_NEEDED: 'Niet meer nodig',
    UNLAWFUL: 'Had nooit bewaard mogen worden',
    OBLIGATION: 'De wet eist het',
    OTHER: 'Een andere, of verwijderd',
  },
}
