import type { PasskeyWords } from './en.js'

/** Texts of passkeys, in French. */
export const fr: PasskeyWords = {
  title: 'Clés d’accès',
  about: 'Connectez-vous par votre empreinte, votre visage ou un code PIN, sans mot de passe',
  added: (time) => `ajoutée ${time}`,
  lastUsed: (time) => `dernière utilisation ${time}`,
  never: 'jamais utilisée',
  add: 'Ajouter',
  addTitle: 'Ajouter une clé d’accès',
  addText:
    'Votre appareil demande votre empreinte, votre visage ou un code PIN. Désormais, vous vous connectez par la clé d’accès, ou par votre mot de passe et un code.',
  name: 'Nom',
  nameHint: 'L’appareil ou le service qui la conserve.',
  rename: 'Renommer',
  remove: 'Supprimer',
  removeTitle: 'Supprimer la clé d’accès',
  removeText: (name) =>
    `« ${name} » ne vous connecte plus, et vos autres sessions se terminent. Supprimez-la aussi sur votre appareil.`,
  codeHint: 'De votre application, ou un code de secours. Laissez vide pour utiliser une clé d’accès.',
  signIn: 'Utiliser une clé d’accès',
  givenUp: 'Aucune clé d’accès n’a été utilisée. Réessayez, ou connectez-vous autrement.',
  notMade: 'Aucune clé d’accès n’a été créée. Réessayez ; un appareil n’en prend qu’une.',
  unknown:
    'Cette clé d’accès n’est pas connue ici. Elle a peut-être été supprimée : connectez-vous autrement, puis ajoutez-la de nouveau.',
}
