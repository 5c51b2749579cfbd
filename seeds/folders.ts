import { Readable } from 'node:stream'

import type { Knex } from 'knex'

import type { ObjectStore } from '../src/storage/object-store.ts'

/** Known beforehand, so that a second seed finds what the first one made under any name. */
const demoUuid = (number: number) => `5eed0000-0000-4000-8000-${String(number).padStart(12, '0')}`

interface DemoFolder {
  readonly uuid: string
  readonly name: string
  readonly enterprise: 'Atelier Lumière' | 'Boréal Conseil'
  /** Uuid of what it lies in; null: a root. */
  readonly parent: string | null
}

const LUMIERE = demoUuid(100)
const COMPTABILITE = demoUuid(101)
const VENTES = demoUuid(102)
const CONTRATS = demoUuid(103)
const BOREAL = demoUuid(110)
const MISSIONS = demoUuid(111)

const FOLDERS: readonly DemoFolder[] = [
  { uuid: LUMIERE, name: 'Atelier Lumière', enterprise: 'Atelier Lumière', parent: null },
  { uuid: COMPTABILITE, name: 'Comptabilité', enterprise: 'Atelier Lumière', parent: LUMIERE },
  { uuid: VENTES, name: 'Ventes 2026', enterprise: 'Atelier Lumière', parent: COMPTABILITE },
  { uuid: CONTRATS, name: 'Contrats', enterprise: 'Atelier Lumière', parent: LUMIERE },
  { uuid: BOREAL, name: 'Boréal Conseil', enterprise: 'Boréal Conseil', parent: null },
  { uuid: MISSIONS, name: 'Missions', enterprise: 'Boréal Conseil', parent: BOREAL },
]

interface DemoDocument {
  readonly uuid: string
  readonly name: string
  readonly contentType: string
  readonly owner: string
  readonly folder: string | null
  readonly text: string
}

const DOCUMENTS: readonly DemoDocument[] = [
  {
    uuid: demoUuid(200),
    name: 'ventes-mars.csv',
    contentType: 'text/csv',
    owner: 'client@lumiere.test',
    folder: VENTES,
    text: [
      'Date;Client;Montant TTC;Payé',
      '03/03/2026;Galerie Martin;1 240,50;oui',
      '11/03/2026;Hôtel des Îles;3 980,00;non',
      '27/03/2026;Mairie de Sète;12 400,00;oui',
      '',
    ].join('\r\n'),
  },
  {
    uuid: demoUuid(201),
    name: 'contrat-cadre.txt',
    contentType: 'text/plain',
    owner: 'client@lumiere.test',
    folder: CONTRATS,
    text: 'Contrat-cadre entre Atelier Lumière et ses clients, version de démonstration.\n',
  },
  {
    uuid: demoUuid(202),
    name: 'notes de frais.csv',
    contentType: 'text/csv',
    owner: 'perso@demo.test',
    folder: null,
    text: 'Jour,Motif,Montant\n2026-02-02,Train Lyon–Paris,84.00\n2026-02-03,Hôtel,129.90\n',
  },
]

/** The demo world's folders and documents. Where an enterprise has a root of its own, it stays. */
export async function seedFolders(knex: Knex, store: ObjectStore): Promise<void> {
  for (const folder of FOLDERS) await seedFolder(knex, folder)
  for (const document of DOCUMENTS) await seedDocument(knex, store, document)
}

async function seedFolder(knex: Knex, folder: DemoFolder): Promise<void> {
  await knex.raw(
    `insert into folders (uuid, name, client_id, enterprise_id, created_by, parent_id)
     select :uuid, :name, owner.id, owner.enterprise_id, creator.id, parent.id
     from (select u.id, u.enterprise_id from users u join enterprises e on e.id = u.enterprise_id
           where e.name = :enterprise and u.account_type = 'enterprise' order by u.id limit 1) owner
     cross join (select id from users where email = 'super@demo.test') creator
     left join folders parent on parent.uuid = cast(:parent as uuid)
     where cast(:parent as uuid) is null or parent.deleted_at is null and parent.id is not null
     on conflict do nothing`,
    { ...folder },
  )
}

async function seedDocument(knex: Knex, store: ObjectStore, document: DemoDocument): Promise<void> {
  const known = await knex('documents').where({ uuid: document.uuid }).first('id')
  if (known !== undefined) return
  const { uuid, contentType } = document
  const bucket = store.defaultBucket
  const path = `documents/demo/${uuid}`
  const source = Readable.from([Buffer.from(document.text)])
  const stored = await store.put(bucket, path, source, { contentType })
  await knex.raw(
    `with made as (
       insert into documents (uuid, enterprise_id, folder_id, bucket, path, original_name,
                              content_type, size_bytes, sha256)
       select :uuid, owner.enterprise_id, folder.id, :bucket, :path, :name, :contentType, :size,
              :sha256
       from users owner left join folders folder on folder.uuid = cast(:folder as uuid)
       where owner.email = :owner
       on conflict do nothing returning id)
     insert into users_documents (user_id, document_id)
     select users.id, made.id from made join users on users.email = :owner`,
    { ...document, bucket, path, size: stored.sizeBytes, sha256: stored.sha256 },
  )
}
