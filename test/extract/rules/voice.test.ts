import { describe, expect, it } from 'vitest';
import { neutralise } from '../../../src/extract/rules/voice.ts';

describe('neutralise', () => {
  it.each([
    ['I moved the checks into `claims.ts`.', ['Moved the checks into `claims.ts`.']],
    [
      'I chose to clamp instead of throwing, since X is down.',
      ['Chose to clamp instead of throwing, since X is down.'],
    ],
    ["I've written a test.", ['Wrote a test.']],
    ['I use the id and not a counter.', ['Uses the id and not a counter.']],
    ['I resolve the path and refuse anything outside.', ['Resolves the path and refuses anything outside.']],
    ['I did not use the `csv` module because it raises.', ['The `csv` module was not used because it raises.']],
    ['I have not changed any file.', ['No file was changed.']],
    ['I found that the lease is too short.', ['The lease is too short.']],
    ['I suspect the proxy drops the header.', ['Presumably the proxy drops the header.']],
    ["I'd recommend splitting the job.", ['Recommended: splitting the job.']],
    ['The clocks differ, so I widened the window.', ['The clocks differ.', 'Widened the window.']],
    ['The job fails because we retry twice.', ['The job fails because the code retries twice.']],
    ['While at it I renamed the flag.', ['While at it, renamed the flag.']],
    ['Before you raise `--workers`, read the ADR.', ['Before raising `--workers`, read the ADR.']],
    ['You must set `KEY` first.', ['Set `KEY` first.']],
    ['Our cache lives in your home folder.', ['The cache lives in the home folder.']],
    ['Order I would take: first add `renew`.', ['First add `renew`.']],
    ['The file is small; tell me if you want a cache.', ['The file is small.']],
    ['`a.rs`: I split rendering from aggregation.', ['`a.rs`: split rendering from aggregation.']],
    ['It holds (as long as the key is kept; I could not verify that).', ['It holds (as long as the key is kept).']],
    ['Ich habe den Cache entfernt, weil er veraltet.', ['Der Cache wurde entfernt, weil er veraltet.']],
    ['Ich verwende die Kennung statt eines Zählers.', ['Verwendet die Kennung statt eines Zählers.']],
    ["J'ai converti les montants en nombres.", ['Converti les montants en nombres.']],
  ])('%s', (said, neutral) => {
    expect(neutralise(said)).toEqual(neutral);
  });

  it.each([
    ["I'll look at the tests now."],
    ['Let me check the schema first.'],
    ['Let me know if you want me to add CSV.'],
    ["I'm happy to help."],
    ['Sag Bescheid, wenn ich das prüfen soll.'],
  ])('keeps nothing of talk: %s', (said) => {
    expect(neutralise(said)).toEqual([]);
  });

  it('never reaches into code and quotations', () => {
    expect(neutralise('The message "I am sorry, we failed" comes from `our_mailer.say("my text")`.')).toEqual([
      'The message "I am sorry, we failed" comes from `our_mailer.say("my text")`.',
    ]);
  });
});
