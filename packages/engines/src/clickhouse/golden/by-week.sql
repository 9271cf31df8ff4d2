SELECT toMonday("date") AS "date_d472dc59",
       MAX("temp_max") AS "MAX(temp_max)_a2880a2b"
FROM "seattle_weather"
GROUP BY toMonday("date")
ORDER BY "date_d472dc59" ASC NULLS LAST
LIMIT 60;
-- []
