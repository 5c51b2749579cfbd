import { expect } from 'chai'

import { useApp } from '../../support/app.ts'

describe('values in an address', () => {
  const app = useApp()

  for (const text of ['0x10', '1e3', 'Infinity', '1.0', '%201', '', '1_000', '9'.repeat(20)]) {
    it(`refuses the page «${text.slice(0, 20)}»`, async () => {
      const admin = app.client.as(await app.build.user())
      const { status, body } = await admin.get(`/jobs?page=${text}`)
      expect(status).to.equal(400)
      expect(body.errors[0].pointer).to.equal('/query/page')
    })
  }

  it('reads digits as the number that they spell', async () => {
    const admin = app.client.as(await app.build.user())
    expect((await admin.get('/jobs?page=007&limit=10')).body).to.include({ page: 7, limit: 10 })
  })
})
