import { expect } from 'chai'

import type { Connector } from '../../src/connectors/connector.ts'
import { ConnectorError } from '../../src/connectors/errors.ts'
import { createFormulairesConnector } from '../../src/connectors/formulaires/connector.ts'
import { ConnectorRegistry } from '../../src/connectors/registry.ts'
import { createOutboundHttp } from '../../src/security/outbound/http.ts'
import { PATIENCE_MS } from '../support/patience.ts'

describe('connector registry', () => {
  const http = createOutboundHttp({ allow: [], requestTimeoutMs: PATIENCE_MS })
  after(() => http.close())
  const formulaires = createFormulairesConnector({ http })
  /** A type that has forms and no cards. */
  const formsOnly: Connector = {
    type: 'FORMS_ONLY',
    resources: { form: formulaires.resources.form! },
  }
  const registry = new ConnectorRegistry([formulaires, formsOnly])

  it('finds a resource by connection type', () => {
    expect(registry.resource('FORMULAIRES', 'form')).to.equal(formulaires.resources.form)
    expect(registry.resource('FORMULAIRES', 'card')).to.equal(formulaires.resources.card)
    expect(registry.resource('FORMS_ONLY', 'form')).to.equal(formulaires.resources.form)
    expect(registry.types).to.deep.equal(['FORMULAIRES', 'FORMS_ONLY'])
  })

  for (const type of ['FORMS_ONLY', 'UNKNOWN', '__proto__', 'constructor']) {
    it(`says that ${type} does not support cards`, () => {
      const refused = () => registry.resource(type, 'card')
      expect(refused).to.throw(ConnectorError, `type ${type} has no cards`)
      expect(refused)
        .to.throw()
        .that.deep.includes({
          code: 'ApiResourceTypeNotSupportedException',
          problem: { kind: 'not-supported', connectionType: type, resource: 'card' },
        })
    })
  }

  it('refuses two connectors for one type', () => {
    expect(() => new ConnectorRegistry([formsOnly, formsOnly])).to.throw('FORMS_ONLY')
  })
})
