import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import protobuf from 'protobufjs'

export interface ReceivedSpan {
  traceId: string
  spanId: string
  parentSpanId: string
  name: string
  attributes: Record<string, string | number | boolean>
  isFailed: boolean
  links: { traceId: string; spanId: string }[]
  service: string
}

interface Value {
  stringValue?: string
  intValue?: number | string
  boolValue?: boolean
  doubleValue?: number
}
interface KeyValue {
  key: string
  value: Value
}
interface Request {
  resourceSpans: {
    resource: { attributes: KeyValue[] }
    scopeSpans: { spans: Record<string, never>[] }[]
  }[]
}

/** The parts of opentelemetry-proto (trace/v1, collector/trace/v1) that are read here. */
const { root } = protobuf.parse(`
syntax = "proto3";
message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
message KeyValue { string key = 1; AnyValue value = 2; }
message Resource { repeated KeyValue attributes = 1; }
message Status { int32 code = 3; }
message Link { bytes trace_id = 1; bytes span_id = 2; }
message Span { bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5;
  repeated KeyValue attributes = 9; repeated Link links = 13; Status status = 15; }
message ScopeSpans { repeated Span spans = 2; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
message ExportTraceServiceRequest { repeated ResourceSpans resource_spans = 1; }
`)
const REQUEST = root.lookupType('ExportTraceServiceRequest')

/** A collector of traces on loopback, for OTLP by HTTP as protobuf and as JSON. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = []
  /** Requests as text: nothing that is secret may be in it. */
  raw = ''
  /** Manner of its answers: as a collector does, never, or with an error. */
  mode: 'takes' | 'hangs' | 'fails' = 'takes'
  requests = 0
  readonly #server = createServer((request, response) => void this.#receive(request, response))

  static async start(): Promise<OtlpReceiver> {
    const receiver = new OtlpReceiver()
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve))
    return receiver
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  named(name: string): ReceivedSpan[] {
    return this.spans.filter((span) => span.name === name)
  }

  ofTrace(traceId: string): ReceivedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId)
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests += 1
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    if (this.mode === 'hangs') return
    if (this.mode === 'fails') return void response.writeHead(400).end()
    const isJson = request.headers['content-type'] === 'application/json'
    this.raw += body.toString('latin1')
    const decoded = isJson
      ? (JSON.parse(body.toString()) as Request)
      : (REQUEST.toObject(REQUEST.decode(body), { longs: Number, bytes: Array, arrays: true }) as Request)
    for (const { resource, scopeSpans } of decoded.resourceSpans) {
      const service = String(attributesOf(resource.attributes)['service.name'])
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) this.spans.push(spanOf(span, service))
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- both encodings
function spanOf(span: any, service: string): ReceivedSpan {
  return {
    traceId: hex(span.traceId),
    spanId: hex(span.spanId),
    parentSpanId: hex(span.parentSpanId ?? ''),
    name: span.name,
    attributes: attributesOf(span.attributes ?? []),
    isFailed: span.status?.code === 2,
    links: (span.links ?? []).map((link: { traceId: unknown; spanId: unknown }) => ({
      traceId: hex(link.traceId),
      spanId: hex(link.spanId),
    })),
    service,
  }
}

/** JSON has ids in hexadecimal, protobuf as bytes. */
const hex = (id: unknown): string => (typeof id === 'string' ? id : Buffer.from(id as number[]).toString('hex'))

function attributesOf(pairs: KeyValue[]): Record<string, string | number | boolean> {
  return Object.fromEntries(
    pairs.map(({ key, value }) => {
      const { stringValue, intValue, boolValue, doubleValue } = value
      return [key, stringValue ?? (intValue === undefined ? (boolValue ?? doubleValue ?? '') : Number(intValue))]
    }),
  )
}
