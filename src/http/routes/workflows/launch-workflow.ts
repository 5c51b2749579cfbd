import { ACCESS_TO_WORK } from '../../../domain/long-work.ts'
import {
  SourceDataInvalidException,
  SourceInUseException,
  WorkflowSourceEmptyException,
  WorkflowSourceNotConfiguredException,
} from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { workflowRunSchema } from '../../presenters/present-workflow-run.ts'
import { workflowPath } from '../../presenters/present-workflow.ts'
import { respondAsJob } from '../../respond-as-job.ts'
import { named, strictObject } from '../../schemas.ts'
import { ORIGIN_PROBLEMS } from './origin-problems.ts'

export const launchWorkflow = defineRoute(
  {
    method: 'post',
    path: '/workflows/:uuid/launch',
    access: ACCESS_TO_WORK['workflow.launch'],
    tag: 'workflows',
    summary: 'Launch a workflow: load its source into a table of the run',
    audit: 'workflow.launch',
    description:
      'The columns are those of the preview. A launch that fails is recorded as a FAILED run, ' +
      'which the problem names in `runUuid`; one that is cancelled as CANCELLED. The table lies ' +
      'in the schema of the enterprise; those of the last runs are kept.',
    params: workflowPath,
    body: named('WorkflowLaunch', strictObject({}), { 'as-configured': {} }),
    bodyRequired: false,
    responses: {
      201: { description: 'The run', schema: workflowRunSchema, shows: ['succeeded'] },
    },
    problems: [
      WorkflowSourceNotConfiguredException,
      WorkflowSourceEmptyException,
      SourceDataInvalidException,
      SourceInUseException,
      ...ORIGIN_PROBLEMS,
    ],
    longRunning: 'workflow.launch',
    place: 'uploads',
  },
  async (request, services) => {
    const { workflows } = services
    const launch = await workflows.prepareLaunch(request.actor, request.params.uuid)
    return respondAsJob(
      request,
      services,
      'workflow.launch',
      launch,
      workflows.recordQueued(request.actor, launch),
    )
  },
)
