import { type Mapping, shownName } from '../../../pipelines/index.ts'
import type { ProblemMembers } from '../../resources/problem.ts'
import { MappingQuestionException } from '../../errors/index.ts'
import { shapeMessages } from '../shapes/shape-messages.ts'
import { type Expected, expectationOf } from '../shapes/expect.ts'
import type { Source } from './source.ts'
import type { MappedRequest, SourcesParts } from './sources.ts'

/** What a load of a source that is there expects. */
export async function expectColumns(
  { pool }: Pick<SourcesParts, 'pool'>,
  { tableId }: Pick<Source, 'tableId'>,
  given: MappedRequest = {},
): Promise<Expected> {
  const expects = await expectationOf(pool, tableId, given)
  return given.onQuestion === 'refuse' ? { ...expects, admit: refuseQuestions } : expects
}

/** Where nothing can be staged, or is to be. */
export function refuseQuestions({ questions }: Mapping): void {
  if (questions.length > 0) throw openQuestions(questions)
}

type Questions = ProblemMembers['questions'] & {}

/** How many of them the sentence tells; `questions` has all. */
const TOLD = 5

export const openQuestions = (questions: Questions) =>
  new MappingQuestionException(shapeMessages.asked({ questions: questionsInWords(questions) }), {
    members: { questions },
  })

export const questionsInWords = (questions: Questions) => questions.slice(0, TOLD).map(inWords)

function inWords({ header, column }: Questions[number]) {
  if (!header) return shapeMessages.noHeader({ column: shownName(column ?? '') })
  return column
    ? shapeMessages.mayBe({ header: shownName(header), column: shownName(column) })
    : shapeMessages.nobodyKnows({ header: shownName(header) })
}
