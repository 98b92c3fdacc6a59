import { LIMITS, oneLine } from '../../memory/record.ts';
import type { Draft, Extraction, ExtractionContext, Extractor } from '../extractor.ts';
import type { Turn } from '../turn.ts';
import { checkFacts, checkRuns, commitsOf } from './commands.ts';
import { decisionNotes } from './decisions.ts';
import { digestOf, emptyDigest } from './digest.ts';
import { draftOf } from './draft.ts';
import { touchedBy } from './files.ts';
import { type Evidence, isSecurity, kindOf } from './kind.ts';
import { type Request, requestOf } from './request.ts';
import { withRevocations } from './revocation.ts';
import { isCaveat } from './roles.ts';
import { partsOf } from './sentences.ts';
import { givesOrders, readMessage, type Statement } from './statements.ts';
import { substance } from './substance.ts';
import { shared, termsIn, ticketsIn } from './terms.ts';
import { asImperative, headline, subjectTitle } from './title.ts';
import { type Topic, topicsOf } from './topics.ts';

const NAME = 'rules/1';
const MAX_OBSERVATIONS = 4;

/**
 * Extracts by rules alone: no model, no network, no clock, the same turn gives the same records. It says again what the
 * agent itself stated, without its person, and proves it with the calls.
 */
export function createRulesExtractor(): Extractor {
  return { extract: async (turn, context) => extractByRules(turn, context) };
}

function extractByRules(turn: Turn, context: ExtractionContext): Extraction {
  const { statements, questions } = readMessage(turn.reply);
  const touched = touchedBy(turn);
  const evidence: Evidence = { turn, touched, runs: checkRuns(turn), commits: commitsOf(turn), statements };
  const kept = substance(evidence);
  if (kept === undefined) return { observations: [], digest: emptyDigest(), extractor: NAME };
  const substantial = { ...evidence, statements: kept };
  const request = requestOf(turn);
  const digest = digestOf(substantial, request, questions);
  const topics = topicsOf(kept.length > 0 ? kept : [cutShort(touched.modified)], {
    edits: touched.modified.length > 0,
  });
  const written = topics.map((topic, index) => ({
    draft: write(topic, index, substantial, request),
    statements: topic.statements,
  }));
  const asked = turn.promptFrom === 'user' ? turn.prompt.slice(0, 4000) : '';
  const correction = { asked, edits: touched.modified.length > 0 };
  const observations = withRevocations(written, context.earlier, correction, MAX_OBSERVATIONS);
  return { observations: observations.map((draft) => bounded(draft, context)), digest, extractor: NAME };
}

/** What is left of a turn that ended without a word: what it had edited. */
function cutShort(modified: string[]): Statement {
  const names = modified
    .slice(0, 5)
    .map((path) => `\`${path}\``)
    .join(', ');
  const more = modified.length > 5 ? ` and ${modified.length - 5} more` : '';
  const text = `The turn ended without a report (interrupted); edited so far: ${names}${more}.`;
  return {
    text,
    role: 'open',
    block: 0,
    heading: '',
    identifiers: new Set(),
    terms: new Set(),
    spoken: false,
    isItem: false,
  };
}

function write(topic: Topic, index: number, evidence: Evidence, request: Request): Draft {
  const isFirst = index === 0;
  const type = typeOf(topic, evidence);
  const lead = leadOf(topic, type);
  const commit = isFirst ? aptSubject(topic, evidence, request) : '';
  const others = topic.statements.filter((statement) => statement !== lead).map(({ text }) => headline(text));
  return draftOf(
    {
      type,
      topic,
      titles: [
        commit,
        evidence.turn.reply === '' && request.phrase !== '' ? headline(`Unfinished: ${request.phrase}`) : '',
        lead ? withTicket(titleFrom(lead, topic.kind), lead, evidence) : '',
        ...others,
      ],
      proven: [
        ...(type === 'decision' ? decisionNotes(evidence.turn) : []),
        ...(isFirst && evidence.touched.modified.length > 0 ? proofs(evidence) : []),
      ],
      symptom:
        isFirst && ['bugfix', 'discovery', 'security'].includes(type) && request.symptom !== ''
          ? [`Reported symptom: ${request.symptom}.`]
          : [],
      replyLength: evidence.turn.reply.length,
    },
    evidence,
  );
}

function typeOf(topic: Topic, evidence: Evidence): string {
  const edits = evidence.touched.modified.length > 0;
  const text = topic.statements.map((statement) => statement.text).join(' ');
  switch (topic.kind) {
    case 'main':
      return kindOf({ ...evidence, statements: topic.statements });
    case 'decision':
      return 'decision';
    case 'side':
      return edits ? 'change' : 'discovery';
    case 'caveat':
      return isSecurity(text) ? 'security' : 'discovery';
    default:
      return topic.kind satisfies never;
  }
}

/** The statement that the title is made of: a cause before a change before the rest. */
function leadOf({ statements, kind }: Topic, type: string): Statement | undefined {
  if (kind !== 'main') return statements.find(({ role }) => role === kind) ?? statements[0];
  const long = statements.filter(
    ({ text }) =>
      text.length >= 30 &&
      !/^(?:also )?(?:checked|verified|confirmed|tested|ran|looked|reviewed|read|inspected|searched)\b/iu.test(text),
  );
  const cause =
    type === 'bugfix'
      ? long.find(({ role, text }) => role === 'cause' && !/^\S+(?: \S+)? tests? failed/iu.test(text))
      : undefined;
  return cause ?? long[0] ?? statements[0];
}

/** A warning is titled by what it warns of. */
function titleFrom({ text, spoken }: Statement, kind: Topic['kind']): string {
  const parts = kind === 'caveat' ? partsOf(text).filter(isCaveat) : [];
  const title = [...parts, text].map((part) => headline(part)).find((candidate) => candidate !== '') ?? '';
  return spoken ? asImperative(title) : title;
}

/** A cause that is only named gets the issue that it is the cause of. */
function withTicket(title: string, lead: Statement, { turn }: Evidence): string {
  const [ticket] = ticketsIn(
    `${turn.reply.slice(0, 4000)} ${turn.promptFrom === 'user' ? turn.prompt.slice(0, 4000) : ''}`,
  );
  if (title === '' || ticket === undefined || title.includes(ticket) || lead.role !== 'cause') return title;
  const longer = `${title} (${ticket})`;
  return longer.length <= LIMITS.title ? longer : title;
}

/** The subject of the turn's own commit, where it tells of this turn's matter and not of an earlier one's. */
function aptSubject(topic: Topic, { commits, turn }: Evidence, request: Request): string {
  const about = termsIn(
    `${topic.statements.map(({ text }) => text).join(' ')} ${request.phrase} ${turn.promptFrom === 'user' ? turn.prompt.slice(0, 2000) : ''}`,
  );
  for (const { subject } of [...commits].reverse()) {
    const terms = termsIn(subject.replace(/^[a-z]+(?:\([^)]*\))?!?:/u, ''));
    if (terms.size >= 2 && shared(terms, about) / terms.size >= 0.6 && !givesOrders(subject))
      return subjectTitle(subject);
  }
  return '';
}

function proofs({ runs, commits }: Evidence): string[] {
  const committed = commits.map(({ subject, id }) => `Committed${id === undefined ? '' : ` as ${id}`}: "${subject}".`);
  return [...checkFacts(runs).slice(0, 2), ...committed.slice(-1)];
}

/** The last door: whatever came before, the limits of a record hold. */
function bounded(draft: Draft, { types }: ExtractionContext): Draft {
  const fits = (text: string, limit: number) => (oneLine(text).length <= limit ? oneLine(text) : '');
  return {
    ...draft,
    type: types.includes(draft.type) ? draft.type : 'change',
    title: fits(draft.title, LIMITS.title) || 'Work without a title',
    subtitle: fits(draft.subtitle, LIMITS.subtitle),
    narrative: fits(draft.narrative, LIMITS.narrative) || fits(draft.title, LIMITS.title),
    facts: draft.facts
      .map((fact) => fits(fact, LIMITS.fact))
      .filter((fact) => fact !== '')
      .slice(0, LIMITS.facts),
  };
}
