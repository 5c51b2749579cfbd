import { connect } from 'node:net'
import { once } from 'node:events'

import { expect } from 'chai'
import { Type } from 'typebox'

import { validationMessage } from '../../../src/http/validation-messages.ts'
import { createAjv } from '../../../src/http/validation.ts'
import { useApp } from '../../support/app.ts'
import { created, createFromFile, sourceForm } from '../../support/sources.ts'

describe('the language of an answer', () => {
  const app = useApp({ env: { LANGUAGE: '' } })
  const inLanguage = (accepted: string) => app.client.withHeaders({ 'accept-language': accepted })
  const titleIn = async (accepted: string) =>
    (await inLanguage(accepted).get('/nowhere')).body.title
  const FRENCH = 'Il n’y a rien à cette adresse'
  const ENGLISH = 'There is nothing at this address'

  it('is the one with the highest weight in Accept-Language', async () => {
    expect(await titleIn('fr')).to.equal(FRENCH)
    expect(await titleIn('fr-CA')).to.equal(FRENCH)
    expect(await titleIn('en-GB, fr;q=0.9')).to.equal(ENGLISH)
    expect(await titleIn('de, en;q=0.2, fr;q=0.4')).to.equal(FRENCH)
    expect(await titleIn('fr;q=0, en;q=0.1')).to.equal(ENGLISH)
  })

  it('is French where neither French nor English is asked for', async () => {
    expect(await titleIn('de')).to.equal(FRENCH)
    expect(await titleIn('*')).to.equal(FRENCH)
    expect(await titleIn('')).to.equal(FRENCH)
    expect(await titleIn(';;q=,')).to.equal(FRENCH)
    const plain = await fetch(`${app.address}/nowhere`)
    expect(((await plain.json()) as { title: string }).title).to.equal(FRENCH)
  })

  it('is told by Content-Language, and kept apart by caches', async () => {
    const user = await app.build.user()
    for (const path of ['/nowhere', '/connections']) {
      const french = await inLanguage('fr').as(user).get(path)
      expect(french.headers.get('content-language')).to.equal('fr')
      expect(french.headers.get('vary')).to.match(/\bAccept-Language\b/i)
      const english = await inLanguage('en').as(user).get(path)
      expect(english.headers.get('content-language')).to.equal('en')
    }
    const document = await inLanguage('fr').get('/openapi.json')
    expect(document.headers.get('content-language')).to.equal('en')
  })

  it('is that of every field error and of the detail', async () => {
    const user = await app.build.user()
    const answer = await inLanguage('fr').as(user).get('/connections?limit=0&colour=red')
    expect(answer.status).to.equal(400)
    expect(answer.body.title).to.equal('La requête n’est pas valide')
    expect(answer.body.errors).to.deep.include({
      pointer: '/query/limit',
      message: 'doit être au moins 1',
    })
    expect(answer.body.errors).to.deep.include({
      pointer: '/query/colour',
      message: 'n’est pas connu ici',
    })
    expect(answer.body.detail).to.equal(
      '«\u00a0colour\u00a0» n’est pas connu ici\u00a0; «\u00a0limit\u00a0» doit être au moins 1',
    )
  })

  it('tells a rule in words', async () => {
    const user = await app.build.user()
    const body = { source: 'file', name: 'V', tableName: 'Été 2026', documentUuid: user.uuid }
    const refused = await inLanguage('en').as(user).post('/sources', body)
    expect(refused.body.errors).to.deep.equal([
      {
        pointer: '/tableName',
        message:
          'must be 1 to 63 small letters (a to z), digits and underscores, and must not begin with a digit',
      },
    ])
  })

  it('names a field by what it lies in, and the field that was most likely meant', async () => {
    const user = await app.build.user()
    const options = {
      columns: [
        { name: 'a', type: 'number' },
        { name: 'b', typ: 'number' },
      ],
      sheet: true,
    }
    const refusedIn = async (accepted: string) =>
      (await createFromFile(inLanguage(accepted).as(user), 'a;b\n1;2\n', { options })).body
    const english = await refusedIn('en')
    expect(english.detail.split('; ')).to.have.members([
      '“sheet” (options) must be text or a whole number',
      '“type” (options, columns, item 2) is required',
      '“typ” (options, columns, item 2) is not known here, but “type” is',
    ])
    const french = await refusedIn('fr')
    expect(french.detail.replaceAll('\u00a0', ' ').split(' ; ')).to.have.members([
      '« sheet » (options) doit être un texte ou un nombre entier',
      '« type » (options, columns, élément 2) est obligatoire',
      '« typ » (options, columns, élément 2) n’est pas connu ici, mais « type » l’est',
    ])
  })

  it('tells what comes after the file, or is one sign of several', async () => {
    const user = await app.build.user()
    const client = inLanguage('en').as(user)
    const form = sourceForm({ source: 'file', name: 'V' }, 'a\n1\n')
    form.set('tableName', 'late')
    const late = await client.request('POST', '/sources', { content: form })
    expect(late.body.errors).to.deep.equal([
      {
        pointer: '/tableName',
        message: 'is required before the file: fields that follow the file come too late',
      },
    ])
    const sign = await createFromFile(client, 'a\n1\n', { options: { decimal: ';' } })
    expect(sign.body.errors[0].message).to.equal('must be one of “,”, “.”')
    const { uuid } = await created(createFromFile(client, 'a\n1\n'))
    const tab = await client.get(`/sources/${uuid}/export?delimiter=x`)
    expect(tab.body.errors[0].message).to.equal('must be one of “,”, “;”, a tab, “|”')
    const range = { options: { range: 'the first rows' } }
    const english = await createFromFile(client, 'a\n1\n', range)
    expect(english.body.errors[0].message).to.equal('must be written like A5:H120')
    const french = await createFromFile(inLanguage('fr').as(user), 'a\n1\n', range)
    expect(french.body.errors[0].message).to.equal('doit s’écrire comme A5:H120')
  })

  it('names the pattern where nothing shows how a text is written', () => {
    const validate = createAjv().compile(Type.String({ pattern: '^[A-Z]{3}$' }))
    expect(validate('x')).to.equal(false)
    const message = validationMessage([validate.errors![0]!])
    expect(message.in('en')).to.equal('must match the pattern ^[A-Z]{3}$')
    expect(message.in('fr')).to.equal('doit correspondre au motif ^[A-Z]{3}$')
  })

  it('is that of the cells that refuse a file, and of their number', async () => {
    const user = await app.build.user()
    const options = { columns: [{ name: 'Solde', type: 'number' }] }
    const refusedIn = async (accepted: string) =>
      (await createFromFile(inLanguage(accepted).as(user), 'Solde\nvieux\nneuf\n', { options }))
        .body
    const french = await refusedIn('fr')
    expect(french.detail).to.equal(
      'Valeur numérique invalide\u00a0: «\u00a0vieux\u00a0» (2\u00a0cellules invalides en tout)',
    )
    expect(french.errors[1].message).to.equal('Valeur numérique invalide\u00a0: «\u00a0neuf\u00a0»')
    const english = await refusedIn('en')
    expect(english.detail).to.equal('Invalid number: “vieux” (2 invalid cells in all)')
    expect(english.errors[1].message).to.equal('Invalid number: “neuf”')
  })

  it('is that of what is wrong with a file or its options', async () => {
    const user = await app.build.user()
    const refusedIn = async (accepted: string, content: string, options = {}) =>
      (await createFromFile(inLanguage(accepted).as(user), content, { options })).body.detail
    const ragged = 'a;b\n1;2\n1;2\n1;2\n1;2\n1;2;3\n'
    const place = 'Ligne de données 5 (ligne 6)\u00a0: '
    expect(await refusedIn('fr', ragged)).to.equal(`${place}3\u00a0champs pour 2\u00a0colonnes.`)
    expect(await refusedIn('en', ragged)).to.equal(
      'Row 5 (line 6): 3 fields where there are 2 columns.',
    )
    expect(await refusedIn('fr', '')).to.equal('Le fichier est vide.')
    expect(await refusedIn('fr', '%PDF-1.7\n')).to.equal(
      'Le fichier est un document PDF\u00a0: enregistrez le tableau qu’il contient en CSV, JSON ou .xlsx et envoyez celui-ci.',
    )
    const columns = [{ name: 'c', type: 'text' }]
    expect(await refusedIn('fr', 'a;b\n1;2\n', { columns })).to.equal(
      'Il n’y a pas de colonne «\u00a0c\u00a0», mais «\u00a0a\u00a0», «\u00a0b\u00a0»',
    )
    expect(await refusedIn('fr', '[{"a":1},]')).to.equal(
      'JSON mal formé à la ligne 1 (ligne de données 2), à l’octet 9\u00a0: attendu\u00a0: une valeur\u00a0; trouvé\u00a0: «\u00a0]\u00a0»',
    )
    expect(await refusedIn('en', '[{"a":1},]')).to.equal(
      'Malformed JSON on line 1 (row 2), at byte 9: expected a value but found “]”',
    )
    expect(await refusedIn('fr', 'PAR1')).to.equal(
      'Le fichier Parquet est tronqué ou abîmé (il est trop court). Écrivez-le de nouveau avec le programme d’où il vient.',
    )
    expect(await refusedIn('fr', 'PK\u0003\u0004')).to.match(
      /^Données tronquées ou abîmées dans .+ \(son répertoire ne peut pas être lu\)\. /,
    )
  })

  it('is that of the rejects, whatever the language was when they were stored', async () => {
    const user = await app.build.user()
    const options = { onInvalid: 'skip', columns: [{ name: 'Jour', type: 'date' }] }
    const sent = 'Jour;Note\n31/02/2024;a\n30/01/2024;b\n'
    const source = await created(createFromFile(inLanguage('en').as(user), sent, { options }))
    const french =
      'Format de date invalide\u00a0: «\u00a031/02/2024\u00a0» (format attendu\u00a0: DD/MM/YYYY)'
    const english = 'Invalid date format: “31/02/2024” (expected format: DD/MM/YYYY)'
    for (const [language, message] of Object.entries({ fr: french, en: english })) {
      const client = inLanguage(language).as(user)
      const { body } = await client.get(`/sources/${source.uuid}/rejects`)
      expect(body.items[0].message).to.equal(message)
      const { text } = await client.get(`/sources/${source.uuid}/rejects?format=csv`)
      expect(text).to.include(`\n${message},`)
    }
  })

  it('stays that of the first answer where a key gives it again', async () => {
    const user = await app.build.user({ role: 'super-admin' })
    const send = (language: string) =>
      inLanguage(language).as(user).withHeaders({ 'idempotency-key': 'one' }).post('/connections', {
        name: 'Une',
        baseUrl: 'https://forms.test',
        apiKey: 'a-key',
        enterpriseId: 999_999,
      })
    const first = await send('fr')
    const again = await send('en')
    expect(first.status).to.equal(404)
    expect(first.body.title).to.equal('Entreprise introuvable')
    expect(again.body).to.deep.equal(first.body)
    expect(again.headers.get('content-language')).to.equal('fr')
    expect(again.headers.get('idempotent-replayed')).to.equal('true')
  })

  it('is that of the setting where the request cannot be parsed', async () => {
    const { port, hostname } = new URL(app.address)
    const socket = connect(Number(port), hostname)
    socket.end('NONSENSE\r\n\r\n')
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
    await once(socket, 'close')
    expect(text).to.include('content-language: fr')
    expect(text).to.include('La requête n’est pas du HTTP correct')
  })
})

describe('the setting LANGUAGE', () => {
  const app = useApp({ env: { LANGUAGE: 'en_US:en' } })

  it('may be the variable of the system, and decides where nothing is asked for', async () => {
    const answer = await fetch(`${app.address}/nowhere`)
    expect(answer.headers.get('content-language')).to.equal('en')
    expect(((await answer.json()) as { title: string }).title).to.equal(
      'There is nothing at this address',
    )
  })
})
