export const FIRST_NAMES = [
  'Amélie',
  'Benoît',
  'Chloé',
  'Damien',
  'Élodie',
  'François',
  'Gaëlle',
  'Hugo',
  'Inès',
  'Jérôme',
  'Karim',
  'Léa',
  'Maël',
  'Noémie',
  'Océane',
  'Paul',
  'Quentin',
  'Raphaël',
  'Solène',
  'Théo',
  'Zoé',
] as const

export const LAST_NAMES = [
  'Martin',
  'Bernard',
  "D'Hondt",
  'Lefèvre',
  'Le Goff',
  'Garçon',
  'Müller',
  'N’Diaye',
  'Œuvrard',
  'Petit-Jean',
  'Rousseau',
  'Saint-Exupéry',
  'Traoré',
  'Vàzquez',
  'Nguyễn',
] as const

export const CITIES = [
  'Paris',
  'Saint-Étienne',
  'Besançon',
  "L'Haÿ-les-Roses",
  'Nîmes',
  'Orléans',
  'Le Mans',
  'Angoulême',
] as const

export const MAIL_DOMAINS = ['exemple.fr', 'courriel.example', 'mairie.example'] as const

export const FILE_NAMES = [
  'facture n°12.pdf',
  'photo été.jpg',
  'reçu "carte".png',
  'devis; signé.pdf',
  'plan – étage 2.dwg',
] as const

export const REMARKS = [
  'RAS',
  'Très satisfait, merci !',
  'À rappeler après 18 h',
  'Ligne 1\nLigne 2',
  'dit « parfait »',
  'prix; délai, qualité',
  '=SOMME(A1:A3)',
  'N/A',
  '-',
  'Accès par la cour 🚲',
  '  avec des espaces  ',
  'chemin C:\\temp',
  'a dit "non"',
  '',
] as const

export const SERVICES = [
  'Plomberie',
  'Électricité',
  'Menuiserie',
  'Peinture',
  'Espaces verts',
] as const

export const DAYS_OF_WEEK = ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi'] as const
