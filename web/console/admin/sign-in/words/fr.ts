import type { AdminSignInWords } from './en.js'

export const fr = {
  lead: 'Vos équipes se connectent par un fournisseur que vous avez déjà, comme Keycloak, Entra ID, Okta ou Google, à la place d’un mot de passe ou en plus.',
  providers: 'Fournisseurs',
  domains: 'Domaines de vos adresses e-mail',
  none: [
    'Aucun fournisseur',
    'Ajoutez-en un par son adresse ; enregistrez ensuite ce serveur chez lui avec les adresses que vous recevez.',
  ],
  add: 'Fournisseur',
  addTitle: 'Nouveau fournisseur',
  issuer: 'Émetteur (issuer)',
  issuerHelp:
    'L’adresse du fournisseur telle qu’il se nomme, comme https://sso.example.com/realms/staff. Il est interrogé aussitôt.',
  nameHelp: 'La page de connexion dit « Se connecter avec » et ce nom.',
  state: 'État',
  states: { active: 'utilisé', unregistered: 'pas encore enregistré', archived: 'archivé' },
  statuses: {
    ACTIVE: 'Utilisé',
    INACTIVE: 'Archivé : personne ne se connecte par lui, et les sessions qu’il a ouvertes prennent fin',
  } as Record<string, string>,
  register: 'Enregistrer ce serveur chez le fournisseur',
  redirect: 'URI de redirection',
  logout: 'URI de déconnexion back-channel',
  start: 'Lien qui connecte sans cette page',
  clientId: 'ID client',
  clientIdHelp:
    'Donné par le fournisseur, une fois ce serveur enregistré chez lui. Vide : personne ne peut encore se connecter.',
  clientSecret: 'Secret client',
  secretKept: 'Il y en a un. Laissez vide pour le garder ; il n’est jamais affiché.',
  secretNone: 'Il n’y en a pas. Il ne sera plus affiché.',
  scopes: 'Scopes',
  scopesHelp: 'Un par ligne. Vide : openid, email et profile.',
  domainsOf: 'Domaines pour lesquels il parle',
  domainsOfHelp:
    'Un par ligne. Leurs adresses sont menées à lui une fois le domaine vérifié ci-dessous, et il peut alors dire à qui est une adresse.',
  accounts: 'Comptes',
  createUsers: 'Créer un compte à qui n’en a pas',
  syncRoles: 'Redonner rôle et canaux à chaque connexion, et refuser ceux auxquels aucune ligne ci-dessous ne convient',
  defaultRole: 'Rôle quand aucune ligne ne convient',
  noRole: 'Aucun : pas de compte',
  roles: { viewer: 'Lecteur', agent: 'Agent', admin: 'Administrateur' } as Record<string, string>,
  hours: 'Heures avant la fin d’une session',
  hoursHelp: '1 à 8760, quel que soit l’usage. Vide : pas de limite.',
  roleMap: 'Rôles selon ce que dit le fournisseur',
  roleMapHelp:
    'La première ligne qui convient donne le rôle, et toutes celles qui conviennent leurs canaux. Un essai de connexion montre les claims.',
  addRow: 'Ligne',
  claim: (n: number) => `Claim de la ligne ${n}`,
  claimHint: 'groups, ou realm_access.roles',
  value: (n: number) => `Valeur de la ligne ${n}`,
  valueHint: 'valeur',
  role: (n: number) => `Rôle de la ligne ${n}`,
  channels: (n: number) => (n === 0 ? 'Aucun canal' : n === 1 ? '1 canal' : `${n} canaux`),
  otherChannel: 'Un canal que vous ne voyez pas',
  removeRow: (n: number) => `Retirer la ligne ${n}`,
  upRow: (n: number) => `Monter la ligne ${n}`,
  tryIt: 'Essai de connexion',
  tryTitle: 'Essai de connexion',
  trialLead: 'Personne n’a été connecté, et rien n’a été lié.',
  notTried: 'L’essai de connexion n’a pas eu lieu',
  outcomes: {
    KNOWN: 'Cet utilisateur serait connecté : il y est lié.',
    LINKED: 'Cet utilisateur, qui a la même adresse, serait lié et connecté.',
    CREATED: 'Un nouveau compte serait créé et connecté.',
    REFUSED: 'Ce serait refusé.',
  } as Record<string, string>,
  why: 'Pourquoi',
  user: 'Utilisateur',
  givenRole: 'Rôle',
  roleNone: 'aucun : aucune ligne ne convient, et il n’y a pas de rôle pour les autres',
  givenChannels: 'Canaux',
  noChannels: 'aucun',
  claims: 'Ce que le fournisseur a dit',
  tooLarge: 'Plus que ce qui peut être affiché.',
  trialGone: 'Le résultat de cet essai est gardé dix minutes, pour qui l’a fait. Faites-en un autre.',
  domain: 'Domaine',
  addDomain: 'Domaine',
  addDomainTitle: 'Nouveau domaine',
  domainHelp: 'Comme example.com. Vous prouvez par son DNS qu’il est à vous.',
  noDomains: ['Aucun domaine', 'Les adresses d’un domaine que vous avez vérifié sont menées à votre fournisseur.'],
  domainStates: { PENDING: 'non vérifié', VERIFIED: 'vérifié', MISSING: 'enregistrement absent' } as Record<
    string,
    string
  >,
  missing: (until: string) => `Compte comme vérifié jusqu’au ${until}. Publiez de nouveau l’enregistrement.`,
  checked: (time: string) => `regardé ${time}`,
  record: 'Publiez cet enregistrement TXT dans son DNS, puis vérifiez :',
  recordName: 'Nom',
  recordValue: 'Valeur',
  verify: 'Vérifier',
  removeAsk: 'Retirer ? Ses adresses ne seront plus menées à un fournisseur.',
  isVerified: (domain: string) => `${domain} est vérifié.`,
  unproven: (name: string) =>
    `Il n’y a pas encore de tel enregistrement TXT à ${name}. Un nouvel enregistrement peut mettre une heure à être vu : réessayez plus tard.`,
  domainTaken: 'Une autre organisation a vérifié ce domaine.',
  domainKnown: 'Vous avez déjà ce domaine.',
  noDns: 'Aucun serveur de noms ne répond pour ce domaine. Réessayez plus tard.',
  tooManyLooks: 'Le DNS a été regardé trop souvent. Réessayez dans une heure.',
  policy: 'Règles de connexion',
  policyOf: (name) => `Règles de connexion de ${name}`,
  ownRule: 'règle propre',
  inheritedRule: 'règle héritée',
  rules: {
    passwordMinLength: 'Longueur minimale du mot de passe',
    maxSessionHours: 'Heures avant la fin d’une session',
    allowedNetworks: 'Réseaux des utilisateurs',
    apiTokenNetworks: 'Réseaux des jetons d’API',
    apiTokenMaxDays: 'Jours avant la fin d’un jeton d’API',
    idleMinutes: 'Minutes avant la fin d’une session inutilisée',
    passwordLogin: 'Connexion',
    secondFactor: 'Second facteur',
    graceDays: 'Jours pour le configurer',
  },
  noRule: {
    passwordMinLength: 'Les mots de passe ont au moins 8 caractères.',
    maxSessionHours: 'Une session dure tant qu’elle sert au moins tous les 30 jours.',
    allowedNetworks: 'Les utilisateurs se connectent de partout.',
    apiTokenNetworks: 'Les jetons d’API fonctionnent de partout.',
    apiTokenMaxDays: 'Les jetons d’API n’expirent pas.',
    idleMinutes: 'Une session que personne n’utilise se termine après 30 jours.',
    passwordLogin: 'Les utilisateurs se connectent par un mot de passe ou par un fournisseur.',
    secondFactor: 'Chacun choisit s’il a un second facteur.',
    graceDays: '',
  },
  numberRule: {
    passwordMinLength: (n) =>
      `Un nouveau mot de passe a au moins ${n} caractères, n’est pas un de ceux que beaucoup emploient et ne nomme pas son utilisateur.`,
    maxSessionHours: (n) => `Une session se termine après ${n} ${n === 1 ? 'heure' : 'heures'}, même si elle sert.`,
    apiTokenMaxDays: (n) => `Un jeton d’API se termine ${n} ${n === 1 ? 'jour' : 'jours'} après sa création.`,
    idleMinutes: (n) => `Une session se termine quand personne ne l’a utilisée pendant ${n} minutes.`,
  },
  networkRule: {
    allowedNetworks: (list) => `Les utilisateurs se connectent et travaillent depuis ces réseaux seulement : ${list}.`,
    apiTokenNetworks: (list) => `Les jetons d’API fonctionnent depuis ces réseaux seulement : ${list}.`,
  },
  ruleHelp: {
    passwordMinLength:
      'De 12 à 128. Les mots de passe actuels restent valables jusqu’à leur changement. Vide : aucune règle.',
    maxSessionHours: 'De 1 à 8760. Vide : aucune limite.',
    allowedNetworks:
      'Un par ligne, comme 192.0.2.0/24 ou 2001:db8::/32. Qui est ailleurs est refusé, et ses pages ouvertes se ferment. Vide : de partout.',
    apiTokenNetworks: 'Un par ligne, comme 192.0.2.0/24 ou 2001:db8::/32. Vide : de partout.',
    apiTokenMaxDays:
      'De 1 à 3650, depuis la création de chaque jeton ; les plus anciens se terminent aussitôt. Vide : aucune limite.',
    idleMinutes:
      'De 5 à 43200 ; elle se termine au plus 6 minutes plus tard. Une page ouverte devant laquelle il n’y a personne n’est pas une utilisation. Vide : aucune règle.',
    passwordLogin:
      'Sans fournisseur en service, ou sans votre compte lié à lui, vous ne pouvez pas choisir la seconde. Les sessions ouvertes par un mot de passe se terminent. Les bots gardent leurs mots de passe.',
    secondFactor:
      'À qui il est demandé, parmi ceux qui se connectent par un mot de passe. La connexion par un fournisseur en vaut un. Les bots n’en ont pas besoin.',
    graceDays:
      'De 0 à 90, depuis que la règle vaut pour une personne. D’ici là elle se connecte comme avant et en est avertie ; ensuite la connexion le configure. Vide : 0.',
  },
  ends: ({ apiTokens, sessions, usersToEnrol }) =>
    [
      apiTokens > 0 && `Se termine aussitôt : ${apiTokens} ${apiTokens === 1 ? 'jeton d’API' : 'jetons d’API'}.`,
      sessions > 0 && `Se termine aussitôt : ${sessions} ${sessions === 1 ? 'session' : 'sessions'}.`,
      usersToEnrol > 0 && `Sans second facteur à ce jour : ${usersToEnrol}.`,
    ]
      .filter((text) => text !== false)
      .join(' '),
  saveAgain: 'Enregistrez encore une fois pour le faire quand même.',
  factorOptions: [
    ['', 'Personne n’y est tenu'],
    ['ADMINS', 'Administrateurs et propriétaires'],
    ['ALL', 'Tous'],
  ],
  factorRule: (who, days) =>
    `${who === 'ADMINS' ? 'Les administrateurs et propriétaires' : 'Tous ceux'} qui se connectent par un mot de passe ont un second facteur ; ${days} ${days === 1 ? 'jour' : 'jours'} pour le configurer.`,
  lockOutFactor:
    'Vous n’avez pas de second facteur vous-même : configurez-le d’abord sous Paramètres, Sécurité, ou laissez des jours pour le faire.',
  passwordOptions: [
    ['', 'Par un mot de passe ou un fournisseur'],
    ['false', 'Par un fournisseur seulement'],
  ],
  passwordOff: 'Les utilisateurs se connectent par un fournisseur seulement.',
  lockOutPassword:
    'Sans mot de passe, vous, ou tous, ne pourriez pas vous connecter : configurez un fournisseur ci-dessus et liez-y votre compte sous Paramètres, Sécurité.',
  holds: (rule) => `Une organisation au-dessus exige : ${rule}.`,
  lockOut:
    'Cela vous exclurait, ou tous ceux d’une organisation au-dessous : ajoutez le réseau d’où vous venez, ou un de ceux qu’elle a.',
  stricterAbove: 'Une organisation au-dessus a une règle plus stricte : celle-ci serait sans effet.',
  copyOf: (what: string) => `Copier : ${what}`,
} satisfies AdminSignInWords
