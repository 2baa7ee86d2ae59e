import type { PrivacyWords } from './en.js'

/** Texts of the administration's page about privacy in German. */
export const de: PrivacyWords = {
  lead: 'Kontakte, die gelöscht wurden oder gerade gelöscht werden. Von ihnen wird nichts gezeigt: Es bleiben IDs und Zahlen.',
  erasures: 'Löschungen',
  contact: 'Kontakt',
  state: 'Stand',
  reason: 'Grund',
  erased: 'Gelöscht',
  asked: 'Verlangt',
  done: 'Erledigt',
  history: 'Was damit getan wurde',
  none: [
    'Noch wurde niemand gelöscht',
    'Ein Kontakt wird von seiner Seite aus gelöscht, auch solange Gespräche offen sind.',
  ],
  list: 'In einer zurückgespielten Sicherung sind die Gelöschten wieder da. Bewahren Sie die Liste der Löschungen anderswo auf und geben Sie sie beim Zurückspielen mit: „Backup, restore, move“ in der Dokumentation sagt, wie.',
  failing: (count) =>
    count === 1
      ? 'Eine Löschung schlägt fehl. Sie wird wiederholt: Jemand muss ins Protokoll des Servers sehen.'
      : `${count} Löschungen schlagen fehl. Sie werden wiederholt: Jemand muss ins Protokoll des Servers sehen.`,
  counts: ({ conversations, messages, attachments, notes }) =>
    `Gespräche: ${conversations}, Nachrichten: ${messages}, Dateien: ${attachments}, Notizen: ${notes}`,
  erase: 'Löschen',
  eraseTitle: 'Diesen Kontakt löschen?',
  eraseHelp:
    'Der Kontakt verschwindet mit allen Gesprächen, auch den offenen, mit Dateien und Notizen. Niemand kann ihn zurückholen. Was die Person von nun an schreibt, gehört einem neuen Kontakt.',
  eraseReason: 'Grund',
  export: 'Export',
  exportHelp:
    'Für die Person, die wissen will, was gespeichert ist: eine ZIP-Datei mit Seiten, Daten und Dateien. Der Link ist Ihrer, für 7 Tage; jedes Herunterladen steht im Audit-Protokoll.',
  withNotes: 'Mit Notizen und internen Nachrichten',
  exportNow: 'Kontakt exportieren',
  exports: 'Exporte',
  exportStates: { PENDING: 'Wird geschrieben', READY: 'Fertig', FAILED: 'Fehlgeschlagen', EXPIRED: 'Entfernt' },
  notesToo: 'mit Notizen',
  until: (time) => `bis ${time}`,
  download: 'Herunterladen',
  states: { REQUESTED: 'Nach dem Zurückspielen', WITHDRAWING: 'Begonnen', ERASING: 'Im Gang', DONE: 'Erledigt' },
  reasons: {
    REQUESTED: 'Die Person verlangt es',
    NOT_NEEDED: 'Nicht mehr nötig',
    UNLAWFUL: 'Hätte nie gespeichert werden dürfen',
    OBLIGATION: 'Das Gesetz verlangt es',
    OTHER: 'Ein anderer, oder entfernt',
  },
}
