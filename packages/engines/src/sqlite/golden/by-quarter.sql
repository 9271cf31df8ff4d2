SELECT DATETIME("date", 'start of month', PRINTF('-%d months', (STRFTIME('%m', "date") - 1) % 3)) AS "date",
       MAX("temp_max") AS "MAX(temp_max)"
FROM "seattle_weather"
GROUP BY DATETIME("date", 'start of month', PRINTF('-%d months', (STRFTIME('%m', "date") - 1) % 3))
ORDER BY "date" ASC NULLS LAST
LIMIT 60;
-- []
