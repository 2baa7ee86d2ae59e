import type { AdminSignInWords } from './en.js'

export const de = {
  lead: 'Ihre Leute melden sich über einen Anbieter an, den Sie ohnehin haben, wie Keycloak, Entra ID, Okta oder Google, anstelle eines Passworts oder daneben.',
  providers: 'Anbieter',
  domains: 'Domains Ihrer E-Mail-Adressen',
  none: [
    'Noch kein Anbieter',
    'Fügen Sie einen mit seiner Adresse hinzu; registrieren Sie dann diesen Server dort mit den Adressen, die Sie bekommen.',
  ],
  add: 'Anbieter',
  addTitle: 'Neuer Anbieter',
  issuer: 'Issuer',
  issuerHelp:
    'Die Adresse des Anbieters, wie er sich selbst nennt, etwa https://sso.example.com/realms/staff. Er wird sofort gefragt.',
  nameHelp: 'Auf der Anmeldeseite steht „Anmelden mit“ und dieser Name.',
  state: 'Zustand',
  states: { active: 'in Gebrauch', unregistered: 'noch nicht registriert', archived: 'archiviert' },
  statuses: {
    ACTIVE: 'In Gebrauch',
    INACTIVE: 'Archiviert: Niemand meldet sich damit an, und die Sitzungen, die er geöffnet hat, enden',
  } as Record<string, string>,
  register: 'Diesen Server beim Anbieter registrieren',
  redirect: 'Redirect-URI',
  logout: 'Back-Channel-Logout-URI',
  start: 'Link, der ohne diese Seite anmeldet',
  clientId: 'Client-ID',
  clientIdHelp: 'Vom Anbieter, sobald dieser Server dort registriert ist. Leer: Noch niemand kann sich anmelden.',
  clientSecret: 'Client-Secret',
  secretKept: 'Eines ist gespeichert. Leer lassen, um es zu behalten; es wird nie gezeigt.',
  secretNone: 'Keines ist gespeichert. Es wird nicht wieder gezeigt.',
  scopes: 'Scopes',
  scopesHelp: 'Einer je Zeile. Leer: openid, email und profile.',
  domainsOf: 'Domains, für die er spricht',
  domainsOfHelp:
    'Eine je Zeile. E-Mail-Adressen davon werden zu ihm geführt, sobald Sie die Domain unten bestätigt haben, und er darf dann sagen, wem eine Adresse gehört.',
  accounts: 'Konten',
  createUsers: 'Ein Konto anlegen für alle, die keines haben',
  syncRoles: 'Rolle und Kanäle bei jeder Anmeldung neu setzen, und abweisen, auf wen unten keine Zeile passt',
  defaultRole: 'Rolle, wenn keine Zeile passt',
  noRole: 'Keine: kein Konto',
  roles: { viewer: 'Betrachter', agent: 'Mitarbeiter', admin: 'Administrator' } as Record<string, string>,
  hours: 'Stunden, bis eine Sitzung endet',
  hoursHelp: '1 bis 8760, wie sehr sie auch benutzt wird. Leer: keine Grenze.',
  roleMap: 'Rollen nach dem, was der Anbieter sagt',
  roleMapHelp:
    'Die erste passende Zeile gibt die Rolle, alle passenden geben ihre Kanäle. Eine Probeanmeldung zeigt die Claims.',
  addRow: 'Zeile',
  claim: (n: number) => `Claim von Zeile ${n}`,
  claimHint: 'groups, oder realm_access.roles',
  value: (n: number) => `Wert von Zeile ${n}`,
  valueHint: 'Wert',
  role: (n: number) => `Rolle von Zeile ${n}`,
  channels: (n: number) => (n === 0 ? 'Keine Kanäle' : n === 1 ? '1 Kanal' : `${n} Kanäle`),
  otherChannel: 'Ein Kanal, den Sie nicht sehen',
  removeRow: (n: number) => `Zeile ${n} entfernen`,
  upRow: (n: number) => `Zeile ${n} nach oben`,
  tryIt: 'Probeanmeldung',
  tryTitle: 'Probeanmeldung',
  trialLead: 'Niemand wurde angemeldet, und nichts wurde verknüpft.',
  notTried: 'Die Probeanmeldung kam nicht zustande',
  outcomes: {
    KNOWN: 'Es würde diese Person anmelden, die damit verknüpft ist.',
    LINKED: 'Es würde diese Person mit derselben E-Mail verknüpfen und anmelden.',
    CREATED: 'Es würde ein neues Konto anlegen und anmelden.',
    REFUSED: 'Es würde abgewiesen.',
  } as Record<string, string>,
  why: 'Warum',
  user: 'Benutzer',
  givenRole: 'Rolle',
  roleNone: 'keine: Keine Zeile passt, und für die anderen gibt es keine Rolle',
  givenChannels: 'Kanäle',
  noChannels: 'keine',
  claims: 'Was der Anbieter sagte',
  tooLarge: 'Mehr, als sich zeigen lässt.',
  trialGone:
    'Das Ergebnis dieser Probeanmeldung bleibt zehn Minuten, für den, der sie gemacht hat. Machen Sie noch eine.',
  domain: 'Domain',
  addDomain: 'Domain',
  addDomainTitle: 'Neue Domain',
  domainHelp: 'Wie example.com. Sie beweisen durch ihr DNS, dass sie Ihnen gehört.',
  noDomains: [
    'Noch keine Domain',
    'E-Mail-Adressen einer Domain, die Sie bestätigt haben, werden zu Ihrem Anbieter geführt.',
  ],
  domainStates: { PENDING: 'nicht bestätigt', VERIFIED: 'bestätigt', MISSING: 'Eintrag fehlt' } as Record<
    string,
    string
  >,
  missing: (until: string) => `Gilt als bestätigt bis ${until}. Veröffentlichen Sie den Eintrag wieder.`,
  checked: (time: string) => `zuletzt nachgesehen ${time}`,
  record: 'Veröffentlichen Sie diesen TXT-Eintrag in ihrem DNS, und bestätigen Sie dann:',
  recordName: 'Name',
  recordValue: 'Wert',
  verify: 'Bestätigen',
  removeAsk: 'Entfernen? Ihre Adressen werden nicht mehr zu einem Anbieter geführt.',
  isVerified: (domain: string) => `${domain} ist bestätigt.`,
  unproven: (name: string) =>
    `Bei ${name} gibt es noch keinen solchen TXT-Eintrag. Neue Einträge sind oft erst nach einer Stunde zu sehen: Versuchen Sie es später noch einmal.`,
  domainTaken: 'Eine andere Organisation hat diese Domain bestätigt.',
  domainKnown: 'Sie haben diese Domain schon.',
  noDns: 'Kein Nameserver antwortet für diese Domain. Versuchen Sie es später noch einmal.',
  tooManyLooks: 'Im DNS wurde zu oft nachgesehen. Versuchen Sie es in einer Stunde noch einmal.',
  policy: 'Anmelderichtlinie',
  policyOf: (name) => `Anmelderichtlinie von ${name}`,
  ownRule: 'eigene Regel',
  inheritedRule: 'von oben',
  rules: {
    passwordMinLength: 'Kürzestes Passwort',
    maxSessionHours: 'Stunden, bis eine Sitzung endet',
    allowedNetworks: 'Netze der Benutzer',
    apiTokenNetworks: 'Netze der API-Tokens',
    apiTokenMaxDays: 'Tage, bis ein API-Token endet',
    idleMinutes: 'Minuten, bis eine unbenutzte Sitzung endet',
    passwordLogin: 'Anmeldung',
    secondFactor: 'Zweiter Faktor',
    graceDays: 'Tage, um ihn einzurichten',
  },
  noRule: {
    passwordMinLength: 'Passwörter haben mindestens 8 Zeichen.',
    maxSessionHours: 'Eine Sitzung dauert, solange sie mindestens alle 30 Tage benutzt wird.',
    allowedNetworks: 'Benutzer melden sich von überall an.',
    apiTokenNetworks: 'API-Tokens gelten von überall.',
    apiTokenMaxDays: 'API-Tokens laufen nicht ab.',
    idleMinutes: 'Eine Sitzung, die niemand benutzt, endet nach 30 Tagen.',
    passwordLogin: 'Benutzer melden sich mit Passwort oder über einen Anbieter an.',
    secondFactor: 'Einen zweiten Faktor wählt jeder für sich.',
    graceDays: '',
  },
  numberRule: {
    passwordMinLength: (n) =>
      `Ein neues Passwort hat mindestens ${n} Zeichen, ist keines, das viele benutzen, und nennt seinen Benutzer nicht.`,
    maxSessionHours: (n) =>
      `Eine Sitzung endet nach ${n} ${n === 1 ? 'Stunde' : 'Stunden'}, wie viel sie auch benutzt wird.`,
    apiTokenMaxDays: (n) => `Ein API-Token endet ${n} ${n === 1 ? 'Tag' : 'Tage'}, nachdem es erstellt wurde.`,
    idleMinutes: (n) => `Eine Sitzung endet, wenn sie ${n} Minuten lang niemand benutzt hat.`,
  },
  networkRule: {
    allowedNetworks: (list) => `Benutzer melden sich nur aus diesen Netzen an und arbeiten nur dort: ${list}.`,
    apiTokenNetworks: (list) => `API-Tokens gelten nur aus diesen Netzen: ${list}.`,
  },
  ruleHelp: {
    passwordMinLength: '12 bis 128. Bestehende Passwörter gelten, bis sie geändert werden. Leer: keine Regel.',
    maxSessionHours: '1 bis 8760. Leer: keine Grenze.',
    allowedNetworks:
      'Je Zeile eines, etwa 192.0.2.0/24 oder 2001:db8::/32. Wer anderswo ist, wird abgewiesen, und offene Seiten schließen. Leer: von überall.',
    apiTokenNetworks: 'Je Zeile eines, etwa 192.0.2.0/24 oder 2001:db8::/32. Leer: von überall.',
    apiTokenMaxDays: '1 bis 3650, ab der Erstellung jedes Tokens; ältere enden sofort. Leer: keine Grenze.',
    idleMinutes:
      '5 bis 43200; sie endet höchstens 6 Minuten später. Eine offene Seite, an der niemand ist, ist keine Benutzung. Leer: keine Regel.',
    passwordLogin:
      'Ohne Anbieter, der in Gebrauch ist, und ohne Ihr damit verknüpftes Konto können Sie das Zweite nicht wählen. Sitzungen, die mit Passwort geöffnet wurden, enden. Bots behalten ihre Passwörter.',
    secondFactor:
      'Von wem einer verlangt wird, der sich mit Passwort anmeldet. Die Anmeldung über einen Anbieter zählt als einer. Bots brauchen keinen.',
    graceDays:
      '0 bis 90, ab da, wo die Regel für jemanden gilt. Bis dahin meldet man sich an wie bisher und wird erinnert; danach richtet ihn die Anmeldung ein. Leer: 0.',
  },
  ends: ({ apiTokens, sessions, usersToEnrol }) =>
    [
      apiTokens > 0 && `Sofort ${apiTokens === 1 ? 'endet 1 API-Token' : `enden ${apiTokens} API-Tokens`}.`,
      sessions > 0 && `Sofort ${sessions === 1 ? 'endet 1 Sitzung' : `enden ${sessions} Sitzungen`}.`,
      usersToEnrol > 0 && `Bisher ohne zweiten Faktor: ${usersToEnrol}.`,
    ]
      .filter((text) => text !== false)
      .join(' '),
  saveAgain: 'Speichern Sie noch einmal, um es trotzdem zu tun.',
  factorOptions: [
    ['', 'Niemand muss einen haben'],
    ['ADMINS', 'Administratoren und Inhaber'],
    ['ALL', 'Alle'],
  ],
  factorRule: (who, days) =>
    `${who === 'ADMINS' ? 'Administratoren und Inhaber' : 'Alle'}, die sich mit Passwort anmelden, haben einen zweiten Faktor; ${days} ${days === 1 ? 'Tag' : 'Tage'}, um ihn einzurichten.`,
  lockOutFactor:
    'Sie haben selbst keinen zweiten Faktor: Richten Sie ihn zuerst unter Einstellungen, Sicherheit ein, oder geben Sie Tage dafür.',
  passwordOptions: [
    ['', 'Mit Passwort oder über einen Anbieter'],
    ['false', 'Nur über einen Anbieter'],
  ],
  passwordOff: 'Benutzer melden sich nur über einen Anbieter an.',
  lockOutPassword:
    'Ohne Passwort könnten Sie oder alle sich nicht anmelden: Richten Sie oben einen Anbieter ein, und verknüpfen Sie unter Einstellungen, Sicherheit Ihr Konto damit.',
  holds: (rule) => `Eine Organisation darüber verlangt: ${rule}.`,
  lockOut:
    'Das würde Sie aussperren oder alle einer Organisation darunter: Fügen Sie das Netz hinzu, aus dem Sie kommen, oder eines, das dort gilt.',
  stricterAbove: 'Eine Organisation darüber hat eine strengere Regel: Diese hätte keine Wirkung.',
  copyOf: (what: string) => `Kopieren: ${what}`,
} satisfies AdminSignInWords
