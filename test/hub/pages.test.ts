import { describe, expect, it } from 'vitest';
import { CHROMIUM, openPage, violationsOf } from '../support/browser.ts';
import { BATCH, PROXY, SALARY, startTestHub } from '../support/hub-server.ts';
import { startIssuer } from '../support/oidc-issuer.ts';

async function setUp() {
  const issuer = await startIssuer({ ada: { preferred_username: 'ada' }, ben: { preferred_username: 'ben' } });
  const subject = (person: string) => `oidc:${issuer.url}#sub-${person}`;
  const hub = await startTestHub({
    issuer,
    access: [
      { subject: subject('ada'), repositories: [], teams: [], all: true },
      { subject: subject('ben'), repositories: ['acme/importer'], teams: [], all: false },
    ],
  });
  return { issuer, hub };
}

describe.skipIf(CHROMIUM === undefined)('the pages of a hub', () => {
  it('are for people who signed in, and show one what another does not see', async () => {
    const { issuer, hub } = await setUp();
    const { page, complaints } = await openPage(hub.url, { mayComplain: true });
    expect(page.url()).toMatch(`${issuer.url}/authorize`);
    await page.getByText('ada', { exact: true }).click();
    await page.getByRole('heading', { name: SALARY.title }).waitFor();
    expect(await page.getByLabel('Repository').locator('option').allTextContents()).toEqual([
      'All repositories',
      'acme/importer',
      'acme/payroll',
      'acme/platform',
    ]);
    await page.getByRole('searchbox').fill('proxy');
    await page.getByText('3 found in').waitFor();
    await page.getByRole('link', { name: PROXY.title }).click();
    await page.getByRole('heading', { name: PROXY.title, level: 1 }).waitFor();
    expect(await page.locator('.record').textContent()).toContain(PROXY.narrative);
    expect(await violationsOf(page)).toEqual([]);
    const hidden = `${hub.url}/#/record/${SALARY.id}?repository=acme/payroll`;

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await page.getByText('ben', { exact: true }).click();
    await page.getByRole('heading', { name: BATCH.title }).waitFor();
    expect(await page.getByLabel('Repository').locator('option').allTextContents()).toEqual([
      'All repositories',
      'acme/importer',
    ]);
    await page.getByRole('searchbox').fill('proxy');
    await page.getByText('1 found in').waitFor();
    expect(await page.content()).not.toContain(PROXY.title);
    expect(complaints).toEqual([]);
    await page.goto(hidden);
    await page.getByText('No repository that you may read').first().waitFor();
    expect(await page.content()).not.toContain(SALARY.title);
  });

  it('change nothing, and ask no other server', async () => {
    const { issuer, hub } = await setUp();
    issuer.person = 'ada';
    const { page, requests } = await openPage(hub.url);
    await page.getByRole('heading', { name: SALARY.title }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    for (const name of ['New record', 'Settings', 'Review', 'Next session']) {
      expect(await page.getByText(name, { exact: true }).count(), name).toBe(0);
    }
    expect(requests.filter((address) => !address.startsWith(hub.url) && !address.startsWith(issuer.url))).toEqual([]);
  });

  it('send somebody whose session has ended to sign in again', async () => {
    const { issuer, hub } = await setUp();
    issuer.person = 'ben';
    const { page } = await openPage(hub.url, { mayComplain: true });
    await page.getByRole('heading', { name: BATCH.title }).waitFor();
    issuer.person = undefined;
    for (const { name, value } of await page.context().cookies()) {
      if (/^git-mem-\d+$/.test(name)) await hub.hub.endSession(value);
    }
    await page.getByRole('searchbox').fill('proxy');
    await page.waitForURL(`${issuer.url}/authorize*`);
  });
});
