import { expect } from 'chai'

import { openUnlessAborted } from '../../src/time/unless-aborted.ts'
import { failure } from '../support/failure.ts'

describe('what is opened until a signal', () => {
  it('is closed before what it was opened with, also when it comes after the signal', async () => {
    const told: string[] = []
    const reason = new Error('told to stop')
    const opening = Promise.withResolvers<AsyncDisposable>()
    const stopping = new AbortController()
    const opened = new AsyncDisposableStack()
    opened.defer(() => void told.push('the database is closed'))
    const waiting = failure(openUnlessAborted(stopping.signal, opening.promise, opened))
    stopping.abort(reason)
    expect(await waiting).to.equal(reason)

    const closed = opened.disposeAsync()
    told.push('it comes')
    opening.resolve({ [Symbol.asyncDispose]: async () => void told.push('it is closed') })
    await closed
    expect(told).to.deep.equal(['it comes', 'it is closed', 'the database is closed'])
  })

  it('makes nothing else fail when it cannot be opened any more', async () => {
    const opened = new AsyncDisposableStack()
    const opening = Promise.withResolvers<AsyncDisposable>()
    const signal = AbortSignal.abort(new Error('told to stop'))
    await failure(openUnlessAborted(signal, opening.promise, opened))
    opening.reject(new Error('its connection is broken off'))
    await opened.disposeAsync()
  })
})
