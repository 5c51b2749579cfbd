const DATE = '(string-trim " " date_de_naissance)'
const IS_NO_DATE = ['', 'null', '0', '01/01/1970', '30/12/1899']
  .map((text) => `(string= ${DATE} "${text}")`)
  .join(' ')

/** It reads Lisp with neither literal characters nor quotes, each expression on one line. */
const COLUMNS = [
  'numero',
  'nom',
  'ville',
  `date_de_naissance date using (unless (or (null date_de_naissance) ${IS_NO_DATE}) (format nil "~a-~a-~a" (subseq date_de_naissance 6 10) (subseq date_de_naissance 3 5) (subseq date_de_naissance 0 2)))`,
  'montant numeric using (substitute (char "." 0) (char "," 0) (remove (char " " 0) montant))',
  'vu_le timestamptz using (format nil "~a-~a-~a~a+00" (subseq vu_le 6 10) (subseq vu_le 3 5) (subseq vu_le 0 2) (subseq vu_le 10))',
  'actif boolean using (if (string= actif "oui") "t" "f")',
  'commentaire',
  'code_postal',
  'quantite',
  'e_mail text using (string-right-trim (string (code-char 13)) e_mail)',
]

/** What pgloader is told: the messy file into an empty table. */
export function pgloaderCommands(path: string, url: string, table: string): string {
  return `LOAD CSV
  FROM '${path}' WITH ENCODING UTF-8
  HAVING FIELDS (numero, nom, ville, date_de_naissance, montant, vu_le, actif,
                 commentaire [null if blanks], code_postal, quantite [null if blanks], e_mail)
  INTO ${url.replace(/^postgres:/, 'postgresql:')}
  TARGET TABLE public.${table}
  TARGET COLUMNS (
    ${COLUMNS.join(',\n    ')})
  WITH skip header = 1,
       fields optionally enclosed by '"',
       fields escaped by double-quote,
       fields terminated by ';';
`
}
