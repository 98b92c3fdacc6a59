import type { Hub } from '../../hub/port.ts';

/** The same hub, which notes who searched and read what before the answer leaves. */
export function audited(hub: Hub): Hub {
  return {
    ...hub,
    async search(viewer, question) {
      const answer = await hub.search(viewer, question);
      const repositories = [...new Set(answer.hits.map(({ repository }) => repository))];
      await hub.note({ principal: viewer.principal, action: 'search', subject: question.text, repositories });
      return answer;
    },
    async feed(viewer, filter, page) {
      const answer = await hub.feed(viewer, filter, page);
      const repositories = [...new Set(answer.items.map(({ repository }) => repository))];
      await hub.note({ principal: viewer.principal, action: 'list', subject: JSON.stringify(filter), repositories });
      return answer;
    },
    async records(viewer, repository, ids) {
      const found = await hub.records(viewer, repository, ids);
      const subject = found.map(({ id }) => id).join(' ');
      if (found.length > 0) {
        await hub.note({ principal: viewer.principal, action: 'read', subject, repositories: [repository] });
      }
      return found;
    },
  };
}
