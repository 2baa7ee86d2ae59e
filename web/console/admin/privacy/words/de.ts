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
  states: {
    REQUESTED: 'Nach dem Zurückspielen',
    BLOCKED: 'Von einer Sperre blockiert',
    WITHDRAWING: 'Begonnen',
    ERASING: 'Im Gang',
    DONE: 'Erledigt',
  },
  hold: {
    hold: 'Sperren',
    holds: 'Löschsperren',
    keeps: 'Bewahrt',
    made: 'Angelegt',
    make: 'Sperre anlegen',
    makeTitle: 'Löschsperre anlegen',
    help: 'Was eine Sperre nennt, wird bis zu ihrer Aufhebung weder gelöscht noch entfernt; was Mitarbeiter ändern oder entfernen, bleibt bewahrt. Wählen Sie Kontakte oder einen Zeitraum, in dem Gespräche liefen.',
    helpOfContact:
      'Bis die Sperre aufgehoben wird, werden der Kontakt und seine Gespräche weder gelöscht noch entfernt, und was Mitarbeiter darin ändern oder entfernen, bleibt bewahrt.',
    none: 'Es gibt keine Sperren. Legen Sie eine an, wenn etwas als Beweis bleiben muss, wer auch immer die Löschung verlangt.',
    holding: 'Gilt',
    released: 'Aufgehoben',
    release: 'Aufheben',
    releaseTitle: 'Diese Sperre aufheben?',
    releaseHelp:
      'Löschungen, die nur sie blockiert, gehen sofort weiter und lassen sich nicht anhalten. Was sie von geänderten und entfernten Nachrichten bewahrt hat, verschwindet. Eine aufgehobene Sperre gilt nie wieder.',
    contacts: 'Kontakte',
    search: 'Name, E-Mail oder Telefon',
    found: 'Gefundene Kontakte',
    chosen: 'Gewählte Kontakte',
    span: 'Zeitraum',
    from: 'Von',
    to: 'Bis',
    counts: ({ contacts, conversations, users }) => [
      ...(contacts > 0 ? [`Kontakte: ${contacts}`] : []),
      ...(conversations > 0 ? [`Gespräche: ${conversations}`] : []),
      ...(users > 0 ? [`Benutzer: ${users}`] : []),
    ],
  },
  reasons: {
    REQUESTED: 'Die Person verlangt es',
    NOT_NEEDED: 'Nicht mehr nötig',
    UNLAWFUL: 'Hätte nie gespeichert werden dürfen',
    OBLIGATION: 'Das Gesetz verlangt es',
    OTHER: 'Ein anderer, oder entfernt',
  },
}
