// Written by scripts/write-api-types.ts from docs/openapi.json.

interface Schemas {
  ApiConnection: {
    uuid: string
    name: string
    enterprise?: {
      id: number
      name: string
    }
    baseUrl: string
    apiKeyPrefix: string
    status: 'ACTIVE' | 'ERROR'
    errorMessage: string | null
    lastValidatedAt: string | null
    createdAt: string
    updatedAt: string
    type: 'FORMULAIRES'
  }
  ApiConnectionChange: {
    name?: string
    apiKey?: string
  }
  ApiConnectionList: {
    items: readonly Schemas['ListedApiConnection'][]
    total: number
    page: number
    limit: number
  }
  ApiConnectionTest: {
    works: true
    forms: number
  }
  AuditEntry: {
    number: number
    createdAt: string
    enterpriseId: number | null
    enterprise?: {
      id: number
      name: string
    }
    action: string
    outcome: 'done' | 'queued'
    thing: {
      kind: string
      uuid: string | null
      name: string | null
    }
    fields: readonly string[]
    actor: {
      uuid: string | null
      email: string
      role: ('super-admin' | 'admin' | 'client') | null
    } | null
    via: 'session' | 'personal-token' | 'password' | 'link' | 'job' | 'cli'
    token: string | null
    address: string | null
    requestId: string | null
    jobUuid: string | null
    hash: string
  }
  AuditList: {
    items: readonly Schemas['AuditEntry'][]
    total: number
    page: number
    limit: number
  }
  Breadcrumb: {
    items: readonly {
      uuid: string
      name: string
    }[]
  }
  BrokenRules: {
    rowCount: number
    countedRows: number
    isExact: boolean
    rules: readonly {
      rule: string
      count: number
      examples: readonly {
        value: string
        message: string
      }[]
    }[]
  }
  Card: {
    uuid: string
    title: string
    publicationStatus: string | null
    updatedAt: string | null
    columns: readonly {
      name: string
      type: string
    }[]
    submissionCount: number
  }
  CardList: {
    items: readonly Schemas['Card'][]
    total: number
    page: number
    limit: number
  }
  CellError: {
    row: number
    line?: number
    place?: string
    column: string
    value: string
    message: string
    rule?: string
  }
  ChangedApiConnection: {
    uuid: string
    name: string
    baseUrl: string
    apiKeyPrefix: string
    status: 'ACTIVE' | 'ERROR'
    errorMessage: string | null
    lastValidatedAt: string | null
    createdAt: string
    updatedAt: string
  }
  Check: {
    valid: boolean
    rows: number
    mapping: readonly Schemas['MappedHeader'][]
    missing: readonly string[]
    questions: readonly Schemas['MappingQuestion'][]
    shape?: Schemas['ShapeVersion']
    errors: readonly Schemas['CheckedError'][]
    totalErrors: number
    byRule: readonly Schemas['RuleCount'][]
    warnings: readonly Schemas['Warning'][]
    remedies: readonly Schemas['Remedy'][]
  }
  CheckedError: {
    row: number
    line?: number
    place?: string
    message: string
    rule: string
    column?: string
    value?: string
  }
  Collection: {
    uuid: string
    name: string
    sourceUuid: string
    sourceName: string
    enterpriseId: number
    message: string | null
    deadline: string | null
    closeAtDeadline: boolean
    approval: boolean
    remind: readonly string[]
    labels: {
      sender: string | null
      period: string | null
    }
    periods: readonly string[]
    senderCount: number
    slots: {
      awaited: number
      refused: number
      received: number
      accepted: number
      late: number
    }
    createdAt: string
    updatedAt: string
  }
  CollectionChange: {
    name?: string
    deadline?: string | null
    closeAtDeadline?: boolean
    remind?: readonly string[]
    approval?: boolean
    message?: string | null
  }
  CollectionList: {
    items: readonly Schemas['Collection'][]
    total: number
    page: number
    limit: number
  }
  CollectionSender: {
    uuid: string
    key: string
    name: string
    email: string
    language: 'fr' | 'en'
  }
  ColumnEvidence: {
    sampled: number
    candidates: readonly {
      type: string
      format?: string
      accepted: number
    }[]
    nulls: Record<string, number>
    fallbackParsed: number
    counterExample: {
      row: number
      line?: number
      place?: string
      value: string
    } | null
    fittingPattern?: string
    unit?: string
    mixedUnits?: readonly string[]
    asShown?: {
      row: number
      line?: number
      place?: string
      value: string
    }
    rounded?: {
      row: number
      line?: number
      place?: string
      value: string
    }
    ambiguous: boolean
  }
  ColumnRule: {
    required?: true
    unique?: true
    written?: Schemas['FieldNotation']
    oneOf?: readonly (string | number | boolean)[]
    matches?: string
    minimum?: number | string
    maximum?: number | string
    minLength?: number
    maxLength?: number
    format?: 'email' | 'uri' | 'uuid' | 'siren' | 'siret' | 'iban' | 'postcode-fr' | 'insee'
    in?: {
      sourceUuid: string
      column: string
    }
    severity?: 'error' | 'warning'
    name?: string
    message?: string
  }
  CompletedDeliveryUpload: {
    uuid: string
    filename: string
    sizeBytes: number
    sha256: string
  }
  CorrectionsForm: {
    key?: string
    mapping?: Record<string, string | null>
    remember?: boolean
    onQuestion?: 'stage' | 'refuse'
    file: string
  }
  Credentials: {
    email: string
    password: string
  }
  DataPackage: {
    '$schema': string
    name: string
    title: string
    resources: readonly {
      name: string
      path: string
      format: 'csv'
      mediatype: 'text/csv'
      encoding: 'utf-8'
      schema: Schemas['TableSchema']
    }[]
  }
  Deliveries: {
    collection: string
    sender: {
      key: string
      name: string
    }
    message: string | null
    deadline: string | null
    closeAtDeadline: boolean
    approval: boolean
    columns: readonly {
      name: string
      type: 'text' | 'number' | 'date' | 'boolean' | 'json'
      dateFormat?: 'DD/MM/YYYY' | 'MM/DD/YYYY' | 'YYYY-MM-DD' | 'DD-MM-YYYY'
      pattern?: string
      description?: string
      required: boolean
      rules: readonly string[]
    }[]
    shapeVersion: number
    slots: readonly {
      uuid: string
      period: string | null
      state: 'awaited' | 'refused' | 'received' | 'accepted'
      isLate: boolean
      rows: number | null
      receivedAt: string | null
      filename: string | null
      receipt: string | null
      reason: string | null
    }[]
  }
  Delivery: {
    uuid: string
    state: 'refused' | 'blocked' | 'received' | 'accepted' | 'replaced' | 'undone' | 'returned'
    filename: string
    sizeBytes: number
    sha256: string
    rows: number
    rejected: number
    isLate: boolean
    loadUuid: string | null
    shapeVersion: number | null
    reason: string | null
    receipt: string | null
    receivedAt: string
  }
  DeliveryForm: {
    mapping?: Record<string, string | null>
    file: string
  }
  DeliveryOfUpload: {
    uploadUuid: string
    mapping?: Record<string, string | null>
  }
  DeliveryReceipt: {
    slot: string
    state: 'refused' | 'blocked' | 'received' | 'accepted' | 'replaced' | 'undone' | 'returned'
    filename: string
    sizeBytes: number
    sha256: string
    rows: number
    rejected: number
    isLate: boolean
    shapeVersion: number | null
    receipt: string | null
    receivedAt: string
  }
  DirectUpload: {
    uuid: string
    partSize: number
    parts: readonly {
      partNumber: number
      size: number
      url: string
    }[]
    expiresAt: string
  }
  Document: {
    uuid: string
    filename: string
    size: number
    contentType: string
    sha256: string
    folderUuid: string | null
    createdAt: string
  }
  DocumentForm: {
    folderUuid?: string
    file: string
  }
  DocumentList: {
    items: readonly Schemas['Document'][]
    total: number
    page: number
    limit: number
    totalPages: number
  }
  DownloadLink: {
    url: string
    filename: string
  }
  Drift: {
    added: readonly {
      name: string
      type: string
    }[]
    removed: readonly {
      name: string
      type: string
    }[]
    retyped: readonly {
      name: string
      from: string
      to: string
    }[]
  }
  EligibleEnterprise: {
    id: number
    uuid: string
    name: string
    accountType: 'enterprise' | 'personal'
    hasFolder: boolean
  }
  EligibleEnterpriseList: {
    items: readonly Schemas['EligibleEnterprise'][]
    total: number
    page: number
    limit: number
  }
  Enterprise: {
    id: number
    uuid: string
    name: string
    accountType: 'enterprise' | 'personal'
  }
  EnterpriseList: {
    items: readonly Schemas['ListedEnterprise'][]
    total: number
    page: number
    limit: number
  }
  FieldError: {
    pointer: string
    message: string
  }
  FieldNotation: {
    type: 'any' | 'string' | 'integer' | 'number' | 'year' | 'boolean' | 'date' | 'datetime' | 'time' | 'yearmonth' | 'duration' | 'geopoint' | 'object' | 'array' | 'geojson'
    format?: string
    decimalChar?: string
    groupChar?: string
    bareNumber?: boolean
    trueValues?: readonly string[]
    falseValues?: readonly string[]
    arrayItem?: {
      type?: 'string' | 'integer' | 'number' | 'boolean'
      constraints?: {
        enum?: readonly (string | number | boolean)[]
        pattern?: string
        minLength?: number
        maxLength?: number
      }
    }
    missingValues?: readonly string[]
  }
  FiledDocument: {
    uuid: string
    filename: string
    size: number
    contentType: string
    sha256: string
    folderUuid: string | null
    createdAt: string
    uploadedBy: {
      uuid: string
      name: string
    } | null
    isOwn: boolean
  }
  FiledDocumentList: {
    items: readonly Schemas['FiledDocument'][]
    total: number
    page: number
    limit: number
  }
  Folder: {
    uuid: string
    name: string
    client_id: number
    enterprise_id: number
    created_by: number
    parent_id: number | null
    parentUuid: string | null
    created_at: string
    updated_at: string
    deleted_at: string | null
    enterprise: Schemas['Enterprise']
    documentCount: number
    childCount: number
  }
  FolderList: {
    items: readonly Schemas['Folder'][]
    total: number
    page: number
    limit: number
  }
  FolderMove: {
    parentUuid: string
  }
  FolderPatch: {
    name: string
  }
  FolderWithChildren: {
    uuid: string
    name: string
    client_id: number
    enterprise_id: number
    created_by: number
    parent_id: number | null
    parentUuid: string | null
    created_at: string
    updated_at: string
    deleted_at: string | null
    enterprise: Schemas['Enterprise']
    documentCount: number
    childCount: number
    children: readonly Schemas['Folder'][]
  }
  Form: {
    uuid: string
    title: string
    publicationStatus: string | null
    updatedAt: string | null
    columns: readonly {
      name: string
      type: string
    }[]
    responseCount: number
  }
  FormList: {
    items: readonly Schemas['Form'][]
    total: number
    page: number
    limit: number
  }
  GivenShapeColumn: {
    name: string
    type: 'text' | 'number' | 'date' | 'boolean' | 'json'
    dateFormat?: 'DD/MM/YYYY' | 'MM/DD/YYYY' | 'YYYY-MM-DD' | 'DD-MM-YYYY'
    pattern?: string
    description?: string
    column?: string
    aliases?: readonly string[]
    rules?: readonly Schemas['ColumnRule'][]
  }
  Home: {
    staged: {
      total: number
      items: readonly {
        source: {
          uuid: string
          name: string
        }
        load: {
          uuid: string
          number: number
          questions: number
          rejected: number
          finishedAt: string | null
        }
      }[]
    }
    rejects: {
      total: number
      items: readonly {
        source: {
          uuid: string
          name: string
        }
        rejectedCount: number
      }[]
    }
    schedules: {
      total: number
      items: readonly {
        source: {
          uuid: string
          name: string
        }
        failures: number
        nextRunAt: string
      }[]
    }
    connections: {
      total: number
      items: readonly {
        uuid: string
        name: string
        message: string | null
      }[]
    }
    collections: {
      total: number
      items: readonly {
        uuid: string
        name: string
        received: number
        late: number
      }[]
    }
    recent: readonly {
      source: {
        uuid: string
        name: string
      }
      load: {
        number: number
        kind: 'creation' | 'reload' | 'rejects' | 'schedule' | 'launch' | 'rollback' | 'delivery'
        state: 'running' | 'staged' | 'current' | 'kept' | 'gone' | 'failed' | 'cancelled'
        rows: number | null
        by: string | null
        at: string
      }
    }[]
  }
  IngestOptions: {
    format?: 'excel' | 'xls' | 'ods' | 'parquet' | 'xml-spreadsheet' | 'html' | 'xml' | 'geojson' | 'json' | 'fixed-width' | 'csv'
    sheet?: string | number
    range?: string
    headerRow?: number | readonly number[]
    firstRow?: number
    lastRow?: number
    notes?: 'load'
    fillDown?: true | readonly string[]
    ragged?: 'reject' | 'pad' | 'fit'
    encoding?: string
    path?: string
    widths?: readonly number[]
    delimiter?: string
    quote?: string
    columns?: readonly {
      name: string
      type: 'text' | 'number' | 'date' | 'boolean' | 'json'
      dateFormat?: 'DD/MM/YYYY' | 'MM/DD/YYYY' | 'YYYY-MM-DD' | 'DD-MM-YYYY'
      pattern?: string
    }[]
    nullValues?: readonly string[]
    datePlaceholders?: boolean
    timezone?: string
    decimal?: ',' | '.'
    onInvalid?: 'reject' | 'null' | 'skip'
  }
  Job: {
    uuid: string
    kind: string
    about: {
      uuid: string | null
      name: string
    } | null
    status: 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED'
    progress: {
      phase: string | null
      bytesRead: number
      bytesTotal: number | null
      rows: number
      rejected: number
    }
    waitingFor?: 'database' | 'cluster' | 'object-storage'
    error?: Schemas['Problem']
    createdAt: string
    startedAt: string | null
    finishedAt: string | null
    result?: unknown
  }
  JobList: {
    items: readonly Schemas['ListedJob'][]
    total: number
    page: number
    limit: number
  }
  ListedApiConnection: {
    uuid: string
    name: string
    enterprise?: {
      id: number
      name: string
    }
    baseUrl: string
    apiKeyPrefix: string
    status: 'ACTIVE' | 'ERROR'
    errorMessage: string | null
    lastValidatedAt: string | null
    createdAt: string
    updatedAt: string
    type: 'FORMULAIRES'
    failure?: string
    failedAt?: string
  }
  ListedEnterprise: {
    id: number
    uuid: string
    name: string
    accountType: 'enterprise' | 'personal'
    createdAt: string
  }
  ListedJob: {
    uuid: string
    kind: string
    about: {
      uuid: string | null
      name: string
    } | null
    status: 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED'
    progress: {
      phase: string | null
      bytesRead: number
      bytesTotal: number | null
      rows: number
      rejected: number
    }
    waitingFor?: 'database' | 'cluster' | 'object-storage'
    error?: Schemas['Problem']
    createdAt: string
    startedAt: string | null
    finishedAt: string | null
  }
  LoadAnswers: {
    mapping?: Record<string, string | null>
    remember?: boolean
  }
  LoadOrigin: {
    kind: 'upload'
  } | {
    kind: 'api'
  } | {
    kind: 'document'
    documentUuid: string
  } | {
    kind: 'load'
    loadUuid: string
  }
  MadeCollection: {
    uuid: string
    name: string
    sourceUuid: string
    sourceName: string
    enterpriseId: number
    message: string | null
    deadline: string | null
    closeAtDeadline: boolean
    approval: boolean
    remind: readonly string[]
    labels: {
      sender: string | null
      period: string | null
    }
    periods: readonly string[]
    senderCount: number
    slots: {
      awaited: number
      refused: number
      received: number
      accepted: number
      late: number
    }
    createdAt: string
    updatedAt: string
    links?: readonly {
      sender: Schemas['CollectionSender']
      url: string
    }[]
  }
  MadeLink: {
    sender: Schemas['CollectionSender']
    url?: string
  }
  MadeShape: {
    uuid: string
    name: string | null
    enterpriseId: number
    columns: readonly Schemas['ShapeColumn'][]
    left: readonly string[]
    rules: readonly Schemas['RowRule'][]
    unknown: 'add' | 'leave' | 'ask' | 'refuse'
    missing: 'empty' | 'ask' | 'refuse'
    version: number
    createdAt: string
    updatedAt: string
    warnings: readonly string[]
  }
  MappedHeader: {
    header: string
    column: string | null
    by: 'name' | 'folded' | 'alias' | 'given' | 'proposed' | 'new' | 'left'
    confidence: number
    because: string
    alternatives: readonly Schemas['MappingProposal'][]
  }
  MappingProposal: {
    column: string
    confidence: number
    because: string
  }
  MappingQuestion: {
    kind: 'renamed' | 'missing' | 'unknown'
    header?: string
    column?: string
    proposals: readonly Schemas['MappingProposal'][]
  }
  Message: {
    message: string
  }
  NewApiConnection: {
    name: string
    baseUrl: string
    apiKey: string
    type?: 'FORMULAIRES'
    enterpriseId?: number
  }
  NewApiSource: {
    source: 'api'
    name: string
    tableName: string
    enterpriseId?: number
    shapeUuid?: string
    mapping?: Record<string, string | null>
    remember?: boolean
    connectionUuid: string
    apiResourceType: 'form' | 'card'
    formUuid?: string
    formTitle?: string
    cardUuid?: string
    cardTitle?: string
    options?: Schemas['RecordOptions']
  }
  NewCheck: {
    source?: 'file'
    name?: string
    tableName?: string
    enterpriseId?: number
    shapeUuid?: string
    mapping?: Record<string, string | null>
    remember?: boolean
    options?: Schemas['IngestOptions']
    documentUuid?: string
  }
  NewCheckForm: {
    source?: 'file'
    name?: string
    tableName?: string
    enterpriseId?: number
    shapeUuid?: string
    mapping?: Record<string, string | null>
    remember?: boolean
    options?: Schemas['IngestOptions']
    file: string
  }
  NewCollection: {
    name: string
    sourceUuid: string
    senders: readonly Schemas['NewCollectionSender'][]
    periods?: readonly string[]
    deadline?: string
    closeAtDeadline?: boolean
    remind?: readonly string[]
    approval?: boolean
    labels?: {
      sender?: string
      period?: string
    }
    message?: string
  }
  NewCollectionSender: {
    key: string
    name: string
    email: string
    language?: 'fr' | 'en'
  }
  NewDeliveryUpload: {
    filename: string
    size: number
    contentType?: string
  }
  NewDirectUpload: {
    filename: string
    size: number
    contentType?: string
    folderUuid?: string
  }
  NewDocumentSource: {
    source: 'file'
    name: string
    tableName: string
    enterpriseId?: number
    shapeUuid?: string
    mapping?: Record<string, string | null>
    remember?: boolean
    documentUuid: string
    options?: Schemas['IngestOptions']
  }
  NewEnterprise: {
    name: string
    accountType: 'enterprise' | 'personal'
  }
  NewFileSourceForm: {
    source: 'file'
    name: string
    tableName: string
    enterpriseId?: number
    shapeUuid?: string
    mapping?: Record<string, string | null>
    remember?: boolean
    options?: Schemas['IngestOptions']
    file: string
  }
  NewFolder: {
    name: string
    enterpriseId?: number
    clientId?: number
    parentUuid?: string
  }
  NewPeriods: {
    periods: readonly string[]
  }
  NewPersonalToken: {
    uuid: string
    name: string
    prefix: string
    createdAt: string
    lastUsedAt: string | null
    expiresAt: string | null
    token?: string
  }
  NewPreview: {
    options?: Schemas['IngestOptions']
    shapeUuid?: string
    mapping?: Record<string, string | null>
    documentUuid?: string
  }
  NewPreviewForm: {
    options?: Schemas['IngestOptions']
    shapeUuid?: string
    mapping?: Record<string, string | null>
    file: string
  }
  NewSenders: {
    senders: readonly Schemas['NewCollectionSender'][]
  }
  NewShape: {
    name: string
    columns?: readonly Schemas['GivenShapeColumn'][]
    fromSource?: string
    tableSchema?: {
      fields?: unknown
      rules?: readonly Schemas['RowRule'][]
      shape?: {
        unknown?: 'add' | 'leave' | 'ask' | 'refuse'
        missing?: 'empty' | 'ask' | 'refuse'
        left?: readonly string[]
      }
    }
    unknown?: 'add' | 'leave' | 'ask' | 'refuse'
    missing?: 'empty' | 'ask' | 'refuse'
    left?: readonly string[]
    rules?: readonly Schemas['RowRule'][]
    enterpriseId?: number
  }
  NewUser: {
    email: string
    name: string
    role: 'super-admin' | 'admin' | 'client'
    accountType: 'enterprise' | 'personal'
    enterpriseId?: number
    password?: string | null
  }
  NewWorkflow: {
    name: string
    enterpriseId?: number
  }
  NextRuns: {
    runs: readonly string[]
  }
  PasswordChange: {
    current: string
    new: string
    revokeTokens?: boolean
  }
  PersonalToken: {
    uuid: string
    name: string
    prefix: string
    createdAt: string
    lastUsedAt: string | null
    expiresAt: string | null
  }
  PersonalTokenList: {
    items: readonly Schemas['PersonalToken'][]
    total: number
    page: number
    limit: number
  }
  PersonalTokenRequest: {
    name: string
    expiresAt?: string
  }
  Problem: {
    type: string
    title: string
    status: number
    code: string
    detail: string
    errors?: readonly (Schemas['CellError'] | Schemas['FieldError'])[]
    totalErrors?: number
    byRule?: readonly Schemas['RuleCount'][]
    remedies?: readonly Schemas['Remedy'][]
    row?: number
    line?: number
    offset?: number
    place?: string
    limit?: string | number
    page?: number
    column?: string
    dependents?: number
    dependentNames?: readonly string[]
    questions?: readonly Schemas['MappingQuestion'][]
    shapeVersion?: number
    changes?: readonly Schemas['ShapeDifference'][]
    missingParts?: readonly number[]
    runUuid?: string
    parts?: Record<string, boolean>
    requestId?: string
  }
  Profile: {
    uuid: string
    email: string
    name: string
    role: {
      type: 'super-admin' | 'admin' | 'client'
    }
    account_type: 'enterprise' | 'personal'
    enterprise: Schemas['Enterprise'] | null
  }
  RecordOptions: {
    columns?: readonly {
      name: string
      type: 'text' | 'number' | 'date' | 'boolean' | 'json'
      dateFormat?: 'DD/MM/YYYY' | 'MM/DD/YYYY' | 'YYYY-MM-DD' | 'DD-MM-YYYY'
      pattern?: string
    }[]
    nullValues?: readonly string[]
    datePlaceholders?: boolean
    timezone?: string
    decimal?: ',' | '.'
    onInvalid?: 'reject' | 'null' | 'skip'
  }
  Reject: {
    id: number
    row: number
    line?: number
    column?: string
    value?: string
    message: string
    rule?: string
    raw: string
  }
  RejectList: {
    items: readonly Schemas['Reject'][]
    total: number
    page: number
    limit: number
  }
  Remedy: {
    options: Record<string, unknown>
    message: string
    leaves: number
  }
  RootDeletion: {
    folderDeleted: boolean
    deletedFolders: number
    deletedDocuments: number
    failedDocuments: readonly {
      uuid: string
      reason: string
    }[]
    failedDocumentCount?: number
    notified: boolean
  }
  RootDeletionConfirmation: {
    folderName: string
  }
  RowRule: {
    unique?: readonly string[]
    compare?: readonly unknown[]
    sum?: readonly string[]
    equals?: string
    within?: number
    severity?: 'error' | 'warning'
    name?: string
    message?: string
  }
  RuleCount: {
    rule: string
    count: number
  }
  Session: {
    token: string
    expiresAt: string
    user: Schemas['Profile']
  }
  Shape: {
    uuid: string
    name: string | null
    enterpriseId: number
    columns: readonly Schemas['ShapeColumn'][]
    left: readonly string[]
    rules: readonly Schemas['RowRule'][]
    unknown: 'add' | 'leave' | 'ask' | 'refuse'
    missing: 'empty' | 'ask' | 'refuse'
    version: number
    createdAt: string
    updatedAt: string
  }
  ShapeChange: {
    name?: string
    columns?: readonly Schemas['GivenShapeColumn'][]
    unknown?: 'add' | 'leave' | 'ask' | 'refuse'
    missing?: 'empty' | 'ask' | 'refuse'
    left?: readonly string[]
    rules?: readonly Schemas['RowRule'][]
  }
  ShapeColumn: {
    name: string
    type: 'text' | 'number' | 'date' | 'boolean' | 'json'
    dateFormat?: 'DD/MM/YYYY' | 'MM/DD/YYYY' | 'YYYY-MM-DD' | 'DD-MM-YYYY'
    pattern?: string
    description?: string
    column: string
    aliases: readonly string[]
    rules: readonly Schemas['ColumnRule'][]
  }
  ShapeDifference: {
    column: string | null
    what: 'added' | 'removed' | 'name' | 'type' | 'dateFormat' | 'pattern' | 'description' | 'aliases' | 'rules' | 'unknown' | 'missing' | 'left'
    before?: string
  }
  ShapeList: {
    items: readonly Schemas['Shape'][]
    total: number
    page: number
    limit: number
  }
  ShapeVersion: {
    uuid: string
    version: number
  }
  Slot: {
    uuid: string
    sender: Schemas['CollectionSender']
    period: string | null
    state: 'awaited' | 'refused' | 'received' | 'accepted'
    isLate: boolean
    loadUuid: string | null
    rows: number | null
    receivedAt: string | null
    deliveries: readonly Schemas['Delivery'][]
    mailError: string | null
    createdAt: string
  }
  SlotApproval: {
    loadUuid?: string
  }
  SlotList: {
    items: readonly Schemas['Slot'][]
    total: number
    page: number
    limit: number
  }
  SlotReturn: {
    message: string
    loadUuid?: string
    state?: 'received' | 'accepted'
  }
  Source: {
    uuid: string
    name: string
    enterprise?: {
      id: number
      name: string
    }
    description: string | null
    schema: string
    tableName: string
    source: 'file' | 'api'
    sourceType: ('EXCEL' | 'PARQUET' | 'XML' | 'JSON' | 'FIXED_WIDTH' | 'CSV' | 'API_FORM') | null
    status: 'LOADING' | 'READY' | 'FAILED'
    rowCount: number
    rejectedCount: number
    stagedLoads: number
    columns: readonly Schemas['SourceColumn'][]
    connectionUuid?: string
    apiResourceType?: 'form' | 'card'
    formUuid?: string
    formTitle?: string
    cardUuid?: string
    cardTitle?: string
    documentUuid?: string
    shapeUuid: string
    report: unknown
    errorMessage: string | null
    keepLoads: number
    bytes: {
      current: number
      kept: number
    }
    createdAt: string
    updatedAt: string
    loadedAt: string | null
  }
  SourceChange: {
    name?: string
    description?: string | null
    columns?: readonly {
      name: string
      description: string | null
    }[]
    shapeUuid?: string | null
    keepLoads?: number
  }
  SourceChanges: {
    added: number
    removed: number
    changed: number
    unchanged: number
    drift: Schemas['Drift']
    items: readonly {
      kind: 'added' | 'removed' | 'changed'
      key?: unknown
      before: Record<string, unknown> | null
      after: Record<string, unknown> | null
    }[]
    total: number
    page: number
    limit: number
  }
  SourceCheck: {
    mode?: 'replace' | 'append' | 'upsert'
    key?: string
    options?: Schemas['IngestOptions']
    mapping?: Record<string, string | null>
    remember?: boolean
    onQuestion?: 'stage' | 'refuse'
    publish?: boolean
    documentUuid?: string
  }
  SourceCheckForm: {
    mode?: 'replace' | 'append' | 'upsert'
    key?: string
    options?: Schemas['IngestOptions']
    mapping?: Record<string, string | null>
    remember?: boolean
    onQuestion?: 'stage' | 'refuse'
    publish?: boolean
    file?: string
  }
  SourceColumn: {
    name: string
    column: string
    type: 'text' | 'number' | 'date' | 'boolean' | 'json'
    sqlType: 'text' | 'bigint' | 'numeric' | 'date' | 'timestamptz' | 'boolean' | 'jsonb'
    dateFormat?: 'DD/MM/YYYY' | 'MM/DD/YYYY' | 'YYYY-MM-DD' | 'DD-MM-YYYY'
    pattern?: string
    description?: string
    sent?: false
  }
  SourceData: {
    columns: readonly Schemas['SourceColumn'][]
    items: readonly Record<string, unknown>[]
    total: number
    page: number
    limit: number
  }
  SourceList: {
    items: readonly Schemas['Source'][]
    total: number
    page: number
    limit: number
  }
  SourceLoad: {
    uuid: string
    number: number
    kind: 'creation' | 'reload' | 'rejects' | 'schedule' | 'launch' | 'rollback' | 'delivery'
    mode: ('replace' | 'append' | 'upsert') | null
    key: string | null
    state: 'running' | 'staged' | 'current' | 'kept' | 'gone' | 'failed' | 'cancelled'
    loadedBy: {
      uuid: string
      name: string
    } | null
    filename: string | null
    sizeBytes: number | null
    sha256: string | null
    origin: Schemas['LoadOrigin'] | null
    options: unknown
    dialect: unknown
    counts: {
      read: number
      loaded: number
      rejected: number
      blank: number
    } | null
    drift: Schemas['Drift'] | null
    distributed: boolean
    report: unknown
    mapping: readonly Schemas['MappedHeader'][] | null
    missing: readonly string[]
    questions: readonly Schemas['MappingQuestion'][]
    shapeVersion: number | null
    error: unknown
    startedAt: string
    finishedAt: string | null
    publishedAt: string | null
  }
  SourceLoadList: {
    items: readonly Schemas['SourceLoad'][]
    total: number
    page: number
    limit: number
  }
  SourcePreview: {
    columns: readonly {
      name: string
      type: 'text' | 'number' | 'date' | 'boolean' | 'json'
      column: string
      sqlType: string
      dateFormat?: 'DD/MM/YYYY' | 'MM/DD/YYYY' | 'YYYY-MM-DD' | 'DD-MM-YYYY'
      pattern?: string
      evidence: Schemas['ColumnEvidence']
    }[]
    data: readonly Record<string, unknown>[]
    lines: readonly {
      line: number
      role: 'title' | 'header' | 'data' | 'broken' | 'note'
    }[]
    rowCount: number
    isSample: boolean
    reader: string
    format: string
    dialect: Record<string, unknown>
    invalidCells: number
    byRule: readonly Schemas['RuleCount'][]
    table?: Schemas['TableInSheet']
    mapping?: readonly Schemas['MappedHeader'][]
    missing?: readonly string[]
    questions?: readonly Schemas['MappingQuestion'][]
    shape?: Schemas['ShapeVersion']
    warnings: readonly Schemas['Warning'][]
  }
  SourcePreviewForm: {
    options?: Schemas['IngestOptions']
    mapping?: Record<string, string | null>
    file?: string
  }
  SourcePreviewRequest: {
    options?: Schemas['IngestOptions']
    mapping?: Record<string, string | null>
    documentUuid?: string
  }
  SourceProfile: {
    rowCount: number
    columns: readonly {
      name: string
      type: 'text' | 'number' | 'date' | 'boolean' | 'json'
      basis: 'statistics' | 'sample'
      blank: number
      distinct: number
      frequent: readonly {
        value: unknown
        share: number
      }[]
      histogram: {
        from: unknown
        to: unknown
        shares: readonly number[]
        below: number
        above: number
      } | null
    }[]
  }
  SourceReload: {
    mode?: 'replace' | 'append' | 'upsert'
    key?: string
    options?: Schemas['IngestOptions']
    mapping?: Record<string, string | null>
    remember?: boolean
    onQuestion?: 'stage' | 'refuse'
    publish?: boolean
  }
  SourceReloadForm: {
    mode?: 'replace' | 'append' | 'upsert'
    key?: string
    options?: Schemas['IngestOptions']
    mapping?: Record<string, string | null>
    remember?: boolean
    onQuestion?: 'stage' | 'refuse'
    publish?: boolean
    file?: string
  }
  SourceRollback: {
    load?: string
  }
  SourceSchedule: {
    cron: string
    timezone: string
    publish: boolean
    maxRowsLostPercent: number
    nextRunAt: string
    lastRun: {
      job: string
      status: 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED'
      startedAt: string | null
      finishedAt: string | null
    } | null
    failures: number
    createdAt: string
    updatedAt: string
  }
  SourceScheduleSettings: {
    cron: string
    timezone: string
    publish: boolean
    maxRowsLostPercent: number
  }
  SourceSummary: {
    rowCount: number
    countedRows: number
    isExact: boolean
    columns: readonly {
      name: string
      type: 'text' | 'number' | 'date' | 'boolean' | 'json'
      blank: number
      distinct: number
      least: unknown
      most: unknown
    }[]
  }
  TableInSheet: {
    titles: readonly {
      line: number
      text: string
    }[]
    header: {
      rows: readonly number[]
    }
    firstRow: number | null
    lastRow: number | null
    notes: readonly {
      line: number
      text: string
    }[]
    evidence: {
      header: 'given' | 'first row' | 'none' | 'weighed' | 'listed'
      reasons: readonly {
        line: number | null
        role: string
        because: readonly {
          what: string
          weight: number
        }[]
      }[]
    }
    alternatives: readonly {
      header: readonly number[]
      firstRow: number | null
      behind: number
    }[]
  }
  TableSchema: {
    '$schema': string
    fields: readonly {
      name: string
      type: 'any' | 'string' | 'integer' | 'number' | 'year' | 'boolean' | 'date' | 'datetime' | 'time' | 'yearmonth' | 'duration' | 'geopoint' | 'object' | 'array' | 'geojson'
      format?: string
      pattern?: string
      description?: string
      decimalChar?: string
      groupChar?: string
      bareNumber?: boolean
      trueValues?: readonly string[]
      falseValues?: readonly string[]
      arrayItem?: {
        type?: 'string' | 'integer' | 'number' | 'boolean'
        constraints?: {
          enum?: readonly (string | number | boolean)[]
          pattern?: string
          minLength?: number
          maxLength?: number
        }
      }
      missingValues?: readonly string[]
      constraints?: Record<string, unknown>
      rules?: readonly Schemas['ColumnRule'][]
      shape?: {
        type?: 'text' | 'number' | 'date' | 'boolean' | 'json'
        dateFormat?: 'DD/MM/YYYY' | 'MM/DD/YYYY' | 'YYYY-MM-DD' | 'DD-MM-YYYY'
        pattern?: string
        column?: string
        aliases?: readonly string[]
      }
    }[]
    missingValues?: readonly string[]
    uniqueKeys?: readonly Schemas['UniqueKey'][]
    rules?: readonly Schemas['RowRule'][]
    shape?: {
      unknown?: 'add' | 'leave' | 'ask' | 'refuse'
      missing?: 'empty' | 'ask' | 'refuse'
      left?: readonly string[]
    }
  }
  TriedRules: {
    column: string
    rules: readonly Schemas['ColumnRule'][]
  }
  UniqueKey: readonly string[]
  User: {
    uuid: string
    email: string
    name: string
    role: 'super-admin' | 'admin' | 'client'
    accountType: 'enterprise' | 'personal'
    enterprise: Schemas['Enterprise'] | null
    disabledAt: string | null
    createdAt: string
    updatedAt: string
  }
  UserChange: {
    name?: string
    role?: 'super-admin' | 'admin' | 'client'
    disabled?: boolean
    password?: string | null
  }
  UserList: {
    items: readonly Schemas['User'][]
    total: number
    page: number
    limit: number
  }
  UserWithPassword: {
    uuid: string
    email: string
    name: string
    role: 'super-admin' | 'admin' | 'client'
    accountType: 'enterprise' | 'personal'
    enterprise: Schemas['Enterprise'] | null
    disabledAt: string | null
    createdAt: string
    updatedAt: string
    password?: string
  }
  Warning: {
    code: 'option-means-nothing' | 'repaired' | 'other-arrays' | 'other-sheets' | 'other-tables' | 'total' | 'header-looks-like-data' | 'header-inside' | 'tables-joined' | 'headings-inside' | 'lines-left-out' | 'stays-text' | 'pattern-would-fit' | 'misread-characters' | 'formulas-without-results' | 'hidden-sheet' | 'hidden-rows' | 'digits-as-shown' | 'identifiers-rounded' | 'placeholder-dates' | 'dates-beyond-years' | 'rows-lost' | 'questions' | 'column-not-seen' | 'day-and-month-ambiguous' | 'decimal-sign-ambiguous' | 'mixed-units' | 'dates-in-another-format' | 'type-widened' | 'rows-superseded' | 'rule-broken' | 'rule-not-asked' | 'column-not-sent' | 'corrections-left-out' | 'not-distributed'
    message: string
    line?: number
    column?: string
    rule?: string
    count?: number
    remedies?: readonly Schemas['Remedy'][]
  }
  Workflow: {
    uuid: string
    name: string
    enterprise?: {
      id: number
      name: string
    }
    sourceConfig: Schemas['WorkflowSourceConfig'] | null
    createdAt: string
    updatedAt: string
  }
  WorkflowDocumentSource: {
    sourceType: 'document'
    documentUuid: string
  }
  WorkflowFormSource: {
    sourceType: 'api'
    connectionUuid: string
    formUuid: string
    formTitle: string
  }
  WorkflowLaunch: Record<string, never>
  WorkflowList: {
    items: readonly Schemas['Workflow'][]
    total: number
    page: number
    limit: number
  }
  WorkflowRun: {
    uuid: string
    status: 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED'
    rowCount: number | null
    columns: readonly Schemas['SourceColumn'][]
    table: string | null
    loadUuid: string | null
    errorMessage: string | null
    startedAt: string | null
    finishedAt: string | null
  }
  WorkflowRunList: {
    items: readonly Schemas['WorkflowRun'][]
    total: number
    page: number
    limit: number
  }
  WorkflowSourceConfig: Schemas['WorkflowDocumentSource'] | Schemas['WorkflowFormSource']
  WorkflowSourcePreview: {
    columns: readonly {
      name: string
      type: 'text' | 'number' | 'date' | 'boolean' | 'json'
    }[]
    data: readonly Record<string, unknown>[]
    rowCount: number
    isSample: boolean
  }
}

export interface Operations {
  'POST /auth/login': {
    params: Record<string, never>
    query: Record<string, never>
    body: Schemas['Credentials']
    answers: {
      200: Schemas['Session']
      400: Schemas['Problem']
      401: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      429: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /auth/me': {
    params: Record<string, never>
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['Profile']
      400: Schemas['Problem']
      401: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'POST /auth/password': {
    params: Record<string, never>
    query: Record<string, never>
    body: Schemas['PasswordChange']
    answers: {
      200: Schemas['Message']
      400: Schemas['Problem']
      401: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      422: Schemas['Problem']
      429: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'POST /auth/tokens': {
    params: Record<string, never>
    query: Record<string, never>
    body: Schemas['PersonalTokenRequest']
    answers: {
      201: Schemas['NewPersonalToken']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      422: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /auth/tokens': {
    params: Record<string, never>
    query: {
      page?: number
      limit?: number
    }
    body: undefined
    answers: {
      200: Schemas['PersonalTokenList']
      400: Schemas['Problem']
      401: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'DELETE /auth/tokens/{uuid}': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['Message']
      400: Schemas['Problem']
      401: Schemas['Problem']
      404: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'POST /enterprises': {
    params: Record<string, never>
    query: Record<string, never>
    body: Schemas['NewEnterprise']
    answers: {
      201: Schemas['ListedEnterprise']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      422: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /enterprises': {
    params: Record<string, never>
    query: {
      page?: number
      limit?: number
      search?: string
    }
    body: undefined
    answers: {
      200: Schemas['EnterpriseList']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'POST /users': {
    params: Record<string, never>
    query: Record<string, never>
    body: Schemas['NewUser']
    answers: {
      201: Schemas['UserWithPassword']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      422: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /users': {
    params: Record<string, never>
    query: {
      page?: number
      limit?: number
      search?: string
      enterpriseId?: number
      role?: 'super-admin' | 'admin' | 'client'
    }
    body: undefined
    answers: {
      200: Schemas['UserList']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /users/{uuid}': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['User']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'PATCH /users/{uuid}': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: Schemas['UserChange']
    answers: {
      200: Schemas['UserWithPassword']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /audit': {
    params: Record<string, never>
    query: {
      page?: number
      limit?: number
      from?: string
      until?: string
      action?: 'session.begin' | 'password.change' | 'token.create' | 'token.remove' | 'enterprise.create' | 'user.create' | 'user.change' | 'connection.create' | 'connection.change' | 'connection.remove' | 'folder.create' | 'folder.rename' | 'folder.remove' | 'folder.restore' | 'folder.move' | 'folder.delete-root' | 'document.create' | 'document.remove' | 'upload.begin' | 'upload.abort' | 'workflow.create' | 'workflow.configure' | 'workflow.launch' | 'source.create' | 'source.change' | 'source.change-shape' | 'source.reload' | 'source.schedule' | 'source.rejects' | 'source.publish' | 'source.rollback' | 'source.remove' | 'load.remove' | 'schedule.set' | 'schedule.remove' | 'shape.create' | 'shape.change' | 'shape.remove' | 'collection.create' | 'collection.change' | 'collection.add-senders' | 'collection.add-periods' | 'collection.renew-link' | 'collection.remind' | 'collection.approve' | 'collection.return' | 'collection.remove' | 'sender.remove' | 'delivery.send' | 'job.cancel' | 'keys.rotate' | 'seed.fill' | 'storage.repair' | 'cluster.distribute' | 'sql-user.create' | 'sql-user.drop'
      thing?: string
      actor?: string
      enterpriseId?: number
      format?: 'json' | 'csv'
    }
    body: undefined
    answers: {
      200: Schemas['AuditList']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      429: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'POST /connections': {
    params: Record<string, never>
    query: Record<string, never>
    body: Schemas['NewApiConnection']
    answers: {
      201: Schemas['ApiConnection']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      422: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /connections': {
    params: Record<string, never>
    query: {
      page?: number
      limit?: number
      sort?: 'createdAt' | 'name'
      order?: 'asc' | 'desc'
      search?: string
      status?: 'ACTIVE' | 'ERROR'
    }
    body: undefined
    answers: {
      200: Schemas['ApiConnectionList']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /connections/{uuid}': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['ApiConnection']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'PATCH /connections/{uuid}': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: Schemas['ApiConnectionChange']
    answers: {
      200: Schemas['ChangedApiConnection']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'DELETE /connections/{uuid}': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['Message']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'POST /connections/{uuid}/test': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['ApiConnectionTest']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      409: Schemas['Problem']
      422: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      502: Schemas['Problem']
      503: Schemas['Problem']
      504: Schemas['Problem']
    }
  }
  'GET /connections/{uuid}/browse': {
    params: {
      uuid: string
    }
    query: {
      page?: number
      limit?: number
      search?: string
    }
    body: undefined
    answers: {
      200: Schemas['FormList']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      502: Schemas['Problem']
      503: Schemas['Problem']
      504: Schemas['Problem']
    }
  }
  'GET /connections/{uuid}/cards': {
    params: {
      uuid: string
    }
    query: {
      page?: number
      limit?: number
      search?: string
    }
    body: undefined
    answers: {
      200: Schemas['CardList']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      502: Schemas['Problem']
      503: Schemas['Problem']
      504: Schemas['Problem']
    }
  }
  'GET /folders': {
    params: Record<string, never>
    query: {
      page?: number
      limit?: number
      search?: string
      accountType?: 'enterprise' | 'personal'
      enterpriseId?: number
      parent?: 'root' | 'all' | 'deleted'
    }
    body: undefined
    answers: {
      200: Schemas['FolderList']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'POST /folders': {
    params: Record<string, never>
    query: Record<string, never>
    body: Schemas['NewFolder']
    answers: {
      201: Schemas['Folder']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      422: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /folders/enterprises': {
    params: Record<string, never>
    query: {
      page?: number
      limit?: number
      search?: string
    }
    body: undefined
    answers: {
      200: Schemas['EligibleEnterpriseList']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /folders/mine': {
    params: Record<string, never>
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['FolderWithChildren']
      400: Schemas['Problem']
      401: Schemas['Problem']
      404: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'PATCH /folders/{uuid}': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: Schemas['FolderPatch']
    answers: {
      200: Schemas['Folder']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'DELETE /folders/{uuid}': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['Message']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      409: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'POST /folders/{uuid}/restore': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['Folder']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      409: Schemas['Problem']
      422: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'POST /folders/{uuid}/move': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: Schemas['FolderMove']
    answers: {
      200: Schemas['Folder']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      422: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /folders/{uuid}/children': {
    params: {
      uuid: string
    }
    query: {
      page?: number
      limit?: number
    }
    body: undefined
    answers: {
      200: Schemas['FolderList']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /folders/{uuid}/documents': {
    params: {
      uuid: string
    }
    query: {
      page?: number
      limit?: number
      search?: string
    }
    body: undefined
    answers: {
      200: Schemas['FiledDocumentList']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /folders/{uuid}/breadcrumb': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['Breadcrumb']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'DELETE /folders/{uuid}/root': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: Schemas['RootDeletionConfirmation']
    answers: {
      200: Schemas['RootDeletion']
      202: Schemas['Job']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'POST /documents': {
    params: Record<string, never>
    query: Record<string, never>
    body: FormData | Blob
    answers: {
      201: Schemas['Document']
      400: Schemas['Problem']
      401: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      422: Schemas['Problem']
      429: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
      507: Schemas['Problem']
    }
  }
  'GET /documents': {
    params: Record<string, never>
    query: {
      page?: number
      limit?: number
      search?: string
    }
    body: undefined
    answers: {
      200: Schemas['DocumentList']
      400: Schemas['Problem']
      401: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /documents/{uuid}': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['Document']
      400: Schemas['Problem']
      401: Schemas['Problem']
      404: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'DELETE /documents/{uuid}': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['Message']
      400: Schemas['Problem']
      401: Schemas['Problem']
      404: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /documents/{uuid}/download': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['DownloadLink']
      400: Schemas['Problem']
      401: Schemas['Problem']
      404: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'POST /documents/uploads': {
    params: Record<string, never>
    query: Record<string, never>
    body: Schemas['NewDirectUpload']
    answers: {
      201: Schemas['DirectUpload']
      400: Schemas['Problem']
      401: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      422: Schemas['Problem']
      429: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
      507: Schemas['Problem']
    }
  }
  'POST /documents/uploads/{uuid}/complete': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      201: Schemas['Document']
      400: Schemas['Problem']
      401: Schemas['Problem']
      404: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      422: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
      507: Schemas['Problem']
    }
  }
  'DELETE /documents/uploads/{uuid}': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['Message']
      400: Schemas['Problem']
      401: Schemas['Problem']
      404: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /storage/objects/{object}': {
    params: {
      object: string
    }
    query: {
      expires?: unknown
      filename?: unknown
      contentType?: unknown
      signature?: unknown
    }
    body: undefined
    answers: {
      200: string
      206: string
      304: null
      400: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      412: null
      416: null
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'PUT /storage/uploads/{part}': {
    params: {
      part: string
    }
    query: {
      bucket?: unknown
      expires?: unknown
      key?: unknown
      signature?: unknown
      size?: unknown
    }
    body: Blob
    answers: {
      200: null
      400: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      429: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
      507: Schemas['Problem']
    }
  }
  'POST /workflows': {
    params: Record<string, never>
    query: Record<string, never>
    body: Schemas['NewWorkflow']
    answers: {
      201: Schemas['Workflow']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      422: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /workflows': {
    params: Record<string, never>
    query: {
      page?: number
      limit?: number
      sort?: 'createdAt' | 'name'
      order?: 'asc' | 'desc'
      search?: string
    }
    body: undefined
    answers: {
      200: Schemas['WorkflowList']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /workflows/{uuid}': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['Workflow']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'POST /workflows/{uuid}/source-config': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: Schemas['WorkflowSourceConfig']
    answers: {
      200: Schemas['Workflow']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      422: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      502: Schemas['Problem']
      503: Schemas['Problem']
      504: Schemas['Problem']
      507: Schemas['Problem']
    }
  }
  'GET /workflows/{uuid}/source-preview': {
    params: {
      uuid: string
    }
    query: {
      sourceType?: 'document' | 'api'
      documentUuid?: string
      connectionUuid?: string
      formUuid?: string
      limit?: number
    }
    body: undefined
    answers: {
      200: Schemas['WorkflowSourcePreview']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      413: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      502: Schemas['Problem']
      503: Schemas['Problem']
      504: Schemas['Problem']
      507: Schemas['Problem']
    }
  }
  'POST /workflows/{uuid}/launch': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: Schemas['WorkflowLaunch'] | undefined
    answers: {
      201: Schemas['WorkflowRun']
      202: Schemas['Job']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      422: Schemas['Problem']
      429: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      502: Schemas['Problem']
      503: Schemas['Problem']
      504: Schemas['Problem']
      507: Schemas['Problem']
    }
  }
  'GET /workflows/{uuid}/runs': {
    params: {
      uuid: string
    }
    query: {
      page?: number
      limit?: number
    }
    body: undefined
    answers: {
      200: Schemas['WorkflowRunList']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      413: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /workflows/{uuid}/runs/{runUuid}': {
    params: {
      uuid: string
      runUuid: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['WorkflowRun']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'POST /sources': {
    params: Record<string, never>
    query: Record<string, never>
    body: FormData | Schemas['NewApiSource'] | Schemas['NewDocumentSource']
    answers: {
      201: Schemas['Source']
      202: Schemas['Job']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      412: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      422: Schemas['Problem']
      429: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      502: Schemas['Problem']
      503: Schemas['Problem']
      504: Schemas['Problem']
      507: Schemas['Problem']
    }
  }
  'GET /sources': {
    params: Record<string, never>
    query: {
      page?: number
      limit?: number
      sort?: 'createdAt' | 'name'
      order?: 'asc' | 'desc'
      search?: string
      status?: 'LOADING' | 'READY' | 'FAILED'
    }
    body: undefined
    answers: {
      200: Schemas['SourceList']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      413: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'POST /sources/preview': {
    params: Record<string, never>
    query: {
      limit?: number
    }
    body: FormData | Schemas['NewPreview']
    answers: {
      200: Schemas['SourcePreview']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      422: Schemas['Problem']
      429: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
      507: Schemas['Problem']
    }
  }
  'GET /sources/api-preview': {
    params: Record<string, never>
    query: {
      connectionUuid: string
      apiResourceType: 'form' | 'card'
      formUuid?: string
      formTitle?: string
      cardUuid?: string
      cardTitle?: string
      limit?: number
    }
    body: undefined
    answers: {
      200: Schemas['SourcePreview']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      413: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      502: Schemas['Problem']
      503: Schemas['Problem']
      504: Schemas['Problem']
    }
  }
  'POST /sources/{uuid}/preview': {
    params: {
      uuid: string
    }
    query: {
      limit?: number
    }
    body: FormData | Schemas['SourcePreviewRequest'] | undefined
    answers: {
      200: Schemas['SourcePreview']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      422: Schemas['Problem']
      429: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      502: Schemas['Problem']
      503: Schemas['Problem']
      504: Schemas['Problem']
      507: Schemas['Problem']
    }
  }
  'POST /sources/check': {
    params: Record<string, never>
    query: Record<string, never>
    body: FormData | Schemas['NewCheck']
    answers: {
      200: Schemas['Check']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      422: Schemas['Problem']
      429: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
      507: Schemas['Problem']
    }
  }
  'GET /sources/{uuid}/datapackage': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['DataPackage']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'POST /sources/{uuid}/check': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: FormData | Schemas['SourceCheck'] | undefined
    answers: {
      200: Schemas['Check']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      422: Schemas['Problem']
      429: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      502: Schemas['Problem']
      503: Schemas['Problem']
      504: Schemas['Problem']
      507: Schemas['Problem']
    }
  }
  'GET /sources/{uuid}': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['Source']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'PATCH /sources/{uuid}': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: Schemas['SourceChange']
    answers: {
      200: Schemas['Source']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'DELETE /sources/{uuid}': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['Message']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      409: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /sources/{uuid}/data': {
    params: {
      uuid: string
    }
    query: {
      page?: number
      limit?: number
      sort?: string
      order?: 'asc' | 'desc'
      filter?: Record<string, unknown>
    }
    body: undefined
    answers: {
      200: Schemas['SourceData']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      429: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /sources/{uuid}/summary': {
    params: {
      uuid: string
    }
    query: {
      column?: string
    }
    body: undefined
    answers: {
      200: Schemas['SourceSummary']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      409: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /sources/{uuid}/profile': {
    params: {
      uuid: string
    }
    query: {
      column?: string
    }
    body: undefined
    answers: {
      200: Schemas['SourceProfile']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      409: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'POST /sources/{uuid}/rules/try': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: Schemas['TriedRules']
    answers: {
      200: Schemas['BrokenRules']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      422: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /sources/{uuid}/export': {
    params: {
      uuid: string
    }
    query: {
      format?: 'csv' | 'ndjson' | 'xlsx' | 'parquet'
      neutralise?: boolean
      preset?: 'excel-fr'
      delimiter?: ',' | ';' | '	' | '|'
      decimal?: '.' | ','
      bom?: boolean
      columns?: string | readonly string[]
      sort?: string
      order?: 'asc' | 'desc'
      filter?: Record<string, unknown>
    }
    body: undefined
    answers: {
      200: string
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      409: Schemas['Problem']
      429: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /sources/{uuid}/rejects': {
    params: {
      uuid: string
    }
    query: {
      page?: number
      limit?: number
      load?: string
      format?: 'json' | 'csv' | 'xlsx'
    }
    body: undefined
    answers: {
      200: Schemas['RejectList']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      429: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'POST /sources/{uuid}/rejects': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: FormData
    answers: {
      200: Schemas['Source'] | Schemas['SourceLoad']
      202: Schemas['Job']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      412: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      422: Schemas['Problem']
      429: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
      507: Schemas['Problem']
    }
  }
  'POST /sources/{uuid}/reload': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: FormData | Schemas['SourceReload'] | undefined
    answers: {
      200: Schemas['Source'] | Schemas['SourceLoad']
      202: Schemas['Job']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      412: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      422: Schemas['Problem']
      429: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      502: Schemas['Problem']
      503: Schemas['Problem']
      504: Schemas['Problem']
      507: Schemas['Problem']
    }
  }
  'POST /sources/{uuid}/rollback': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: Schemas['SourceRollback'] | undefined
    answers: {
      200: Schemas['Source']
      202: Schemas['Job']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      422: Schemas['Problem']
      429: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /sources/{uuid}/loads': {
    params: {
      uuid: string
    }
    query: {
      page?: number
      limit?: number
    }
    body: undefined
    answers: {
      200: Schemas['SourceLoadList']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      413: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /sources/{uuid}/loads/{load}': {
    params: {
      uuid: string
      load: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['SourceLoad']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'DELETE /sources/{uuid}/loads/{load}': {
    params: {
      uuid: string
      load: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['Message']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      409: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /sources/{uuid}/changes': {
    params: {
      uuid: string
    }
    query: {
      from?: string
      to?: string
      key?: string
      kind?: 'added' | 'removed' | 'changed'
      page?: number
      limit?: number
    }
    body: undefined
    answers: {
      200: Schemas['SourceChanges']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      429: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'PUT /sources/{uuid}/schedule': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: Schemas['SourceScheduleSettings']
    answers: {
      200: Schemas['SourceSchedule']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /sources/{uuid}/schedule': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['SourceSchedule']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'DELETE /sources/{uuid}/schedule': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['Message']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /schedules/next-runs': {
    params: Record<string, never>
    query: {
      cron: string
      timezone?: string
    }
    body: undefined
    answers: {
      200: Schemas['NextRuns']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'POST /sources/{uuid}/loads/{load}/publish': {
    params: {
      uuid: string
      load: string
    }
    query: Record<string, never>
    body: Schemas['LoadAnswers'] | undefined
    answers: {
      200: Schemas['Source']
      202: Schemas['Job']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      412: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      422: Schemas['Problem']
      429: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      502: Schemas['Problem']
      503: Schemas['Problem']
      504: Schemas['Problem']
      507: Schemas['Problem']
    }
  }
  'POST /shapes': {
    params: Record<string, never>
    query: Record<string, never>
    body: Schemas['NewShape']
    answers: {
      201: Schemas['MadeShape']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      422: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /shapes': {
    params: Record<string, never>
    query: {
      page?: number
      limit?: number
      sort?: 'createdAt' | 'name'
      order?: 'asc' | 'desc'
      search?: string
    }
    body: undefined
    answers: {
      200: Schemas['ShapeList']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      413: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /shapes/{uuid}': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['Shape']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'PATCH /shapes/{uuid}': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: Schemas['ShapeChange']
    answers: {
      200: Schemas['Shape']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      412: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'DELETE /shapes/{uuid}': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['Message']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      409: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /shapes/{uuid}/table-schema': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['TableSchema']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /shapes/{uuid}/template': {
    params: {
      uuid: string
    }
    query: {
      format?: 'xlsx' | 'csv'
    }
    body: undefined
    answers: {
      200: string
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /sources/{uuid}/shape': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['Shape']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'PATCH /sources/{uuid}/shape': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: Schemas['ShapeChange']
    answers: {
      200: Schemas['Shape']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      412: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'POST /collections': {
    params: Record<string, never>
    query: Record<string, never>
    body: Schemas['NewCollection']
    answers: {
      201: Schemas['MadeCollection']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      422: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /collections': {
    params: Record<string, never>
    query: {
      page?: number
      limit?: number
      sort?: 'createdAt' | 'name'
      order?: 'asc' | 'desc'
      search?: string
    }
    body: undefined
    answers: {
      200: Schemas['CollectionList']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /collections/{uuid}': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['Collection']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'PATCH /collections/{uuid}': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: Schemas['CollectionChange']
    answers: {
      200: Schemas['Collection']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'DELETE /collections/{uuid}': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['Message']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'POST /collections/{uuid}/senders': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: Schemas['NewSenders']
    answers: {
      201: Schemas['MadeCollection']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      422: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'DELETE /collections/{uuid}/senders/{sender}': {
    params: {
      uuid: string
      sender: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['Message']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'POST /collections/{uuid}/periods': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: Schemas['NewPeriods']
    answers: {
      201: Schemas['Collection']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      422: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /collections/{uuid}/slots': {
    params: {
      uuid: string
    }
    query: {
      page?: number
      limit?: number
      search?: string
      state?: 'awaited' | 'refused' | 'received' | 'accepted'
    }
    body: undefined
    answers: {
      200: Schemas['SlotList']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'POST /collections/{uuid}/slots/{slot}/remind': {
    params: {
      uuid: string
      slot: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['Slot']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      409: Schemas['Problem']
      422: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'POST /collections/{uuid}/slots/{slot}/approve': {
    params: {
      uuid: string
      slot: string
    }
    query: Record<string, never>
    body: Schemas['SlotApproval'] | undefined
    answers: {
      200: Schemas['Slot']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      422: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'POST /collections/{uuid}/slots/{slot}/return': {
    params: {
      uuid: string
      slot: string
    }
    query: Record<string, never>
    body: Schemas['SlotReturn']
    answers: {
      200: Schemas['Slot']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      422: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'POST /collections/{uuid}/slots/{slot}/link': {
    params: {
      uuid: string
      slot: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['MadeLink']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      404: Schemas['Problem']
      409: Schemas['Problem']
      422: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /deliveries': {
    params: Record<string, never>
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['Deliveries']
      400: Schemas['Problem']
      401: Schemas['Problem']
      429: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /deliveries/template': {
    params: Record<string, never>
    query: {
      format?: 'xlsx' | 'csv'
    }
    body: undefined
    answers: {
      200: string
      400: Schemas['Problem']
      401: Schemas['Problem']
      429: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'POST /deliveries/{slot}/check': {
    params: {
      slot: string
    }
    query: Record<string, never>
    body: FormData | Schemas['DeliveryOfUpload']
    answers: {
      200: Schemas['Check']
      400: Schemas['Problem']
      401: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      429: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
      507: Schemas['Problem']
    }
  }
  'PUT /deliveries/{slot}': {
    params: {
      slot: string
    }
    query: Record<string, never>
    body: FormData | Schemas['DeliveryOfUpload']
    answers: {
      200: Schemas['DeliveryReceipt']
      400: Schemas['Problem']
      401: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      409: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      429: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
      507: Schemas['Problem']
    }
  }
  'POST /deliveries/{slot}/uploads': {
    params: {
      slot: string
    }
    query: Record<string, never>
    body: Schemas['NewDeliveryUpload']
    answers: {
      201: Schemas['DirectUpload']
      400: Schemas['Problem']
      401: Schemas['Problem']
      404: Schemas['Problem']
      408: Schemas['Problem']
      413: Schemas['Problem']
      415: Schemas['Problem']
      429: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'POST /deliveries/{slot}/uploads/{upload}/complete': {
    params: {
      slot: string
      upload: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['CompletedDeliveryUpload']
      400: Schemas['Problem']
      401: Schemas['Problem']
      404: Schemas['Problem']
      409: Schemas['Problem']
      429: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'DELETE /deliveries/{slot}/uploads/{upload}': {
    params: {
      slot: string
      upload: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['Message']
      400: Schemas['Problem']
      401: Schemas['Problem']
      404: Schemas['Problem']
      429: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /home': {
    params: Record<string, never>
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['Home']
      400: Schemas['Problem']
      401: Schemas['Problem']
      403: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /jobs': {
    params: Record<string, never>
    query: {
      page?: number
      limit?: number
      status?: 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED'
      kind?: 'source.create' | 'source.reload' | 'source.schedule' | 'source.rejects' | 'source.publish' | 'source.rollback' | 'folder.delete-root' | 'workflow.launch'
      about?: string
    }
    body: undefined
    answers: {
      200: Schemas['JobList']
      400: Schemas['Problem']
      401: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /jobs/{uuid}': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: Schemas['Job']
      400: Schemas['Problem']
      401: Schemas['Problem']
      404: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /jobs/{uuid}/events': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: string
      400: Schemas['Problem']
      401: Schemas['Problem']
      404: Schemas['Problem']
      429: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'POST /jobs/{uuid}/cancel': {
    params: {
      uuid: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      202: Schemas['Job']
      400: Schemas['Problem']
      401: Schemas['Problem']
      404: Schemas['Problem']
      409: Schemas['Problem']
      422: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /health/live': {
    params: Record<string, never>
    query: Record<string, never>
    body: undefined
    answers: {
      200: {
        status: 'ok'
      }
      400: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /health/ready': {
    params: Record<string, never>
    query: Record<string, never>
    body: undefined
    answers: {
      200: {
        status: 'ok'
        parts: Record<string, boolean>
      }
      400: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /metrics': {
    params: Record<string, never>
    query: Record<string, never>
    body: undefined
    answers: {
      200: string
      400: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /.well-known/jwks.json': {
    params: Record<string, never>
    query: Record<string, never>
    body: undefined
    answers: {
      200: {
        keys: readonly {
          kty: 'OKP'
          crv: 'Ed25519'
          alg: 'EdDSA'
          use: 'sig'
          kid: string
          x: string
        }[]
      }
      400: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /docs': {
    params: Record<string, never>
    query: Record<string, never>
    body: undefined
    answers: {
      200: string
      400: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /docs/{file}': {
    params: {
      file: 'swagger-ui.css' | 'swagger-ui-bundle.js' | 'start.js'
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: string
      400: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /console/': {
    params: Record<string, never>
    query: Record<string, never>
    body: undefined
    answers: {
      200: string
      400: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /deliver/': {
    params: Record<string, never>
    query: Record<string, never>
    body: undefined
    answers: {
      200: string
      400: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /console/assets/{version}/{file}': {
    params: {
      version: string
      file: string
    }
    query: Record<string, never>
    body: undefined
    answers: {
      200: string
      400: Schemas['Problem']
      404: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /favicon.ico': {
    params: Record<string, never>
    query: Record<string, never>
    body: undefined
    answers: {
      200: string
      400: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
  'GET /openapi.json': {
    params: Record<string, never>
    query: Record<string, never>
    body: undefined
    answers: {
      200: Record<string, unknown>
      400: Schemas['Problem']
      431: Schemas['Problem']
      500: Schemas['Problem']
      503: Schemas['Problem']
    }
  }
}
