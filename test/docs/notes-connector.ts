import { defineMessages, type RecordSource } from '../../pipelines/index.ts'
import type { ConnectionAccess, Connector, RemoteItem } from '../../src/connectors/connector.ts'
import { ConnectorError } from '../../src/connectors/errors.ts'
import type { OutboundHttp } from '../../src/security/outbound/http.ts'

const notesMessages = defineMessages('notes', {
  refused: {
    en: ({ status }: { status: number }) => `Refused with ${status}`,
    fr: ({ status }) => `Refusé avec ${status}`,
  },
})

/** An application with one list of notes behind `GET /notes`: the smallest connector there is. */
export function createNotesConnector({ http }: { http: OutboundHttp }): Connector {
  const item: RemoteItem = {
    uuid: '00000000-0000-4000-8000-000000000001',
    title: 'Notes',
    publicationStatus: null,
    recordCount: 0,
    updatedAt: null,
    columns: [
      { key: 'on', label: 'Date', type: 'date' },
      { key: 'text', label: 'Note', type: 'text' },
    ],
  }
  const source = ({ baseUrl, apiKey }: ConnectionAccess): RecordSource => ({
    kind: 'records',
    columns: item.columns,
    async *pages(signal) {
      const url = new URL(`${baseUrl}/notes`)
      const answer = await http.getJsonBytes({ url, headers: { 'x-api-key': apiKey }, signal })
      if (answer.kind === 'refusal') {
        throw new ConnectorError(
          { kind: 'unauthorized' },
          notesMessages.refused({ status: answer.status }),
        )
      }
      yield answer.value
    },
  })
  return {
    type: 'NOTES',
    resources: {
      form: {
        list: async () => ({ items: [item], total: 1, page: 1, limit: 1 }),
        describe: async () => item,
        open: async (access) => ({ item, source: source(access) }),
      },
    },
  }
}
