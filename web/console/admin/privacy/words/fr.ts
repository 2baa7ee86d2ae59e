import type { PrivacyWords } from './en.js'

/** Texts of the administration's page about privacy in French. */
export const fr: PrivacyWords = {
  lead: 'Les contacts effacés ou en cours d’effacement. Rien d’eux n’est montré : il reste des identifiants et des nombres.',
  erasures: 'Effacements',
  contact: 'Contact',
  state: 'État',
  reason: 'Motif',
  erased: 'Effacé',
  asked: 'Demandé',
  done: 'Terminé',
  history: 'Ce qui a été fait',
  none: [
    'Personne n’a encore été effacé',
    'Un contact s’efface depuis sa page, même si ses conversations sont ouvertes.',
  ],
  list: 'Une sauvegarde restaurée contient de nouveau les contacts effacés. Gardez la liste des effacements ailleurs et donnez-la à la restauration : « Backup, restore, move » dans la documentation dit comment.',
  failing: (count) =>
    count === 1
      ? 'Un effacement échoue. Il est retenté : faites examiner le journal du serveur.'
      : `${count} effacements échouent. Ils sont retentés : faites examiner le journal du serveur.`,
  counts: ({ conversations, messages, attachments, notes }) =>
    `Conversations: ${conversations}, messages: ${messages}, fichiers: ${attachments}, notes: ${notes}`,
  erase: 'Effacer',
  eraseTitle: 'Effacer ce contact ?',
  eraseHelp:
    'Le contact disparaît avec toutes ses conversations, même ouvertes, avec ses fichiers et ses notes. Personne ne peut le rétablir. Ce que la personne écrira désormais sera d’un nouveau contact.',
  eraseReason: 'Motif',
  export: 'Export',
  exportHelp:
    'Pour la personne qui demande ce qui est conservé : un fichier ZIP avec des pages, des données et des fichiers. Le lien est le vôtre, pendant 7 jours ; chaque téléchargement figure dans le journal d’audit.',
  withNotes: 'Avec les notes et les messages internes',
  exportNow: 'Exporter le contact',
  exports: 'Exports',
  exportStates: { PENDING: 'En cours', READY: 'Prêt', FAILED: 'Échoué', EXPIRED: 'Supprimé' },
  notesToo: 'avec les notes',
  until: (time) => `jusqu’au ${time}`,
  download: 'Télécharger',
  states: {
    REQUESTED: 'Après restauration',
    BLOCKED: 'Bloqué par un gel',
    WITHDRAWING: 'Commencé',
    ERASING: 'En cours',
    DONE: 'Terminé',
  },
  hold: {
    hold: 'Geler',
    holds: 'Gels juridiques',
    keeps: 'Conserve',
    made: 'Créé',
    make: 'Créer un gel',
    makeTitle: 'Créer un gel juridique',
    help: 'Ce qu’un gel désigne n’est ni effacé ni supprimé avant sa levée ; ce que les agents modifient ou suppriment est conservé. Choisissez des contacts, ou une période où des conversations étaient en cours.',
    helpOfContact:
      'Jusqu’à la levée du gel, le contact et ses conversations ne sont ni effacés ni supprimés, et ce que les agents y modifient ou suppriment est conservé.',
    none: 'Il n’y a pas de gel. Créez-en un quand quelque chose doit rester comme preuve, qui que ce soit qui demande l’effacement.',
    holding: 'En vigueur',
    released: 'Levé',
    release: 'Lever',
    releaseTitle: 'Lever ce gel ?',
    releaseHelp:
      'Les effacements que lui seul bloque reprennent aussitôt et ne peuvent être arrêtés. Ce qu’il conservait des messages modifiés et supprimés disparaît. Un gel levé ne vaut plus jamais.',
    contacts: 'Contacts',
    search: 'Nom, e-mail ou téléphone',
    found: 'Contacts trouvés',
    chosen: 'Contacts choisis',
    span: 'Période',
    from: 'Du',
    to: 'Au',
    counts: ({ contacts, conversations, users }) => [
      ...(contacts > 0 ? [`contacts: ${contacts}`] : []),
      ...(conversations > 0 ? [`conversations: ${conversations}`] : []),
      ...(users > 0 ? [`utilisateurs: ${users}`] : []),
    ],
  },
  reasons: {
    REQUESTED: 'La personne le demande',
    NOT_NEEDED: 'Plus nécessaire',
    UNLAWFUL: 'N’aurait jamais dû être gardé',
    OBLIGATION: 'La loi l’exige',
    OTHER: 'Un autre, ou supprimé',
  },
}
